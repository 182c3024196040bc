"""What words look like: addresses, and shapes as spaCy has them."""

import pytest

from senna_py.text.looks import like_email, like_url, shape_of

URLS = (
    "http://a.b/c",
    "HTTPS://X.Y",
    "www.senna.org",
    "example.com",
    "bbc.co.uk/news",
    "heise.de",
    "example.com:8080",
    "example.com/a?b=1#c",
    "file:///etc/hosts",
    "s3://a/b",
    "ftp://z",
    "https://user@host.com/x",
    "example.museum/",
)
EMAILS = "a@b.com", "first.last+tag@mail.example.co.uk", "o'neil@x.org"
NEITHER = (
    "",
    "U.S.",
    "e.g.",
    "foo.py",
    "and/or",
    "3.5",
    "p.m./a.m.",
    "i.e./etc",
    "St.Louis",
    "end.It",
    "user@host",
    "@name",
    "a@b",
    "git@github.com:a/b.git",
    "com",
    ".com",
    "http://",
    "10/12/2020",
)


def test_addresses():
    assert [word for word in (*URLS, *EMAILS, *NEITHER) if like_url(word)] == [*URLS]
    assert [word for word in (*URLS, *EMAILS, *NEITHER) if like_email(word)] == [
        *EMAILS
    ]


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("Berlin", "Xxxxx"),
        ("C-3PO", "X-dXX"),
        ("10,000.50", "dd,ddd.dd"),
        ("12345678", "dddd"),
        ("IBM", "XXX"),
        ("don't", "xxx'x"),
        ("日本", "xx"),
        ("......", "...."),
        ("", ""),
    ],
)
def test_shapes(word, shape):
    assert shape_of(word) == shape

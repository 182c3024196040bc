"""Tokens with marks and figures: measures, names, emoticons, and contractions."""

import pytest

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.text.treebank import tokenize

# Raw text, and its tokens between blanks.
# Numbers and their units, as EWT parts them.
MEASURES = [
    ("at 5pm or 11p.m. He", "at 5 pm or 11 p.m. He"),
    ("8:30AM-9am, 9am-noon", "8:30 AM - 9 am , 9 am - noon"),
    ("10km, 5.5mm -3dB .5mg 1,350kg", "10 km , 5.5 mm -3 dB .5 mg 1,350 kg"),
    ("a 10km-long 5-10km run", "a 10km-long 5-10 km run"),
    ("81K, 300USD £1.3bn $5m $401.3b", "81 K , 300 USD £ 1.3 bn $ 5 m $ 401.3 b"),
    ("The $50K. The 60W.", "The $ 50 K . The 60 W ."),
    ("a 3x5x4 tank, 0x1F, 3x", "a 3 x 5 x 4 tank , 0x1F , 3 x"),
    (
        "4th 3D 90s 1080p 4g 2b 330i 6.0.8L 2015c 3M",
        "4th 3D 90s 1080p 4g 2b 330i 6.0.8L 2015c 3M",
    ),
    (
        "1kg=1000g, 2000g 5x5m 100-200mg/day",
        "1 kg = 1000 g , 2000g 5 x 5 m 100-200 mg / day",
    ),
    ("45p, 400g, 24C, 14C", "45 p , 400 g , 24 C , 14C"),
    ("I'm 5'11\".", "I 'm 5 ' 11 \" ."),
    ("Crash 1091835d-1021-40c4", "Crash 1091835d-1021-40c4"),
]
# Names that contain marks.
NAMES = [
    (
        "C++, C#, F#, g++, C++11 (Objective-C++)",
        "C++ , C# , F# , g++ , C++11 ( Objective-C++ )",
    ),
    ("x++y a+b #5 A+ ##", "x ++ y a + b # 5 A + ##"),
    (
        "2,2'-bipyridine N,N′-dimethyl 5'-UTR 5'-AATT-3' [3H]thymidine [3]x",
        "2,2'-bipyridine N,N′-dimethyl 5'-UTR 5'-AATT-3' [3H]thymidine [ 3 ] x",
    ),
    (
        "Ca2+, Na+ Cl- NO3-. CD4+ Ca2+-dependent p53-/- 5+/-2",
        "Ca2+ , Na+ Cl- NO3- . CD4+ Ca2+-dependent p53-/- 5 + / -2",
    ),
    ("J005325+1234 a1+2", "J005325+1234 a1 + 2"),
    (
        "file:///etc/hosts, s3://a/b. jdbc:mysql://h/d Site:http://x.org",
        "file:///etc/hosts , s3://a/b . jdbc:mysql://h/d Site : http://x.org",
    ),
    (
        "git@github.com:a/b.git, bob@x.com: hi bob@x.com:hi",
        "git@github.com:a/b.git , bob@x.com : hi bob@x.com : hi",
    ),
    (
        "00:1B:44:11:3A:B7, 00-1b-44-11-3a-b7 fe80::1. 10:30:15 a::b",
        "00:1B:44:11:3A:B7 , 00-1b-44-11-3a-b7 fe80::1 . 10:30:15 a::b",
    ),
    (
        "(see https://x.org/Blur_(band)) www.x.com/a((b)).",
        "( see https://x.org/Blur_(band) ) www.x.com/a((b)) .",
    ),
    (
        "«https://x.com/a» https://x.com/a—and https://x.com/a…",
        "« https://x.com/a » https://x.com/a — and https://x.com/a …",
    ),
    ("[a](http://b.com) **http://x.com**", "[ a ] ( http://b.com ) ** http://x.com **"),
    ("release/2.3 Mozilla/5.0 and/or km/2", "release/2.3 Mozilla/5.0 and / or km / 2"),
    (
        "f**k sh*t b**** **bold** a*b f(x)*g(x)",
        "f**k sh*t b**** ** bold ** a * b f ( x ) * g ( x )",
    ),
    (
        "a -> b x>=y a<-5 b <- 3 x != y a => b",
        "a -> b x >= y a < -5 b <- 3 x != y a => b",
    ),
    ("in '68, the '20s. '20 years', he", "in '68 , the '20s . ' 20 years ' , he"),
    ("'99-'00 '5 '123", "'99 - '00 ' 5 ' 123"),
    (
        "git+ssh://git@h/x.git chrome-extension://x",
        "git+ssh://git@h/x.git chrome-extension://x",
    ),
]
EMOTICONS = [
    (
        ":-3 8-) (-: ^__^ ¯\\_(ツ)_/¯ O:-) >:-( :'((",
        ":-3 8-) (-: ^__^ ¯\\_(ツ)_/¯ O:-) >:-( :'((",
    ),
    ("hi(^_^) ヽ(^o^)ノ ʕ•ᴥ•ʔ", "hi (^_^) ヽ(^o^)ノ ʕ•ᴥ•ʔ"),
    (
        "8) (c) x:3 10:3 1 :3 D: 6-8) (-8 *.*",
        "8 ) ( c ) x : 3 10:3 1 : 3 D : 6-8 ) ( -8 * . *",
    ),
    ("(so :-D) (well :D)", "( so :-D ) ( well :D )"),
]
CONTRACTIONS = [
    ("didn`t it`s I´m `x`s", "did n`t it `s I ´m ` x ` s"),
    ("y'all C'mon d'you dunno, shoot'em", "y' all C'm on d' you du n no , shoot 'em"),
    ("shes whos weve youll itll", "she s who s we ve you ll it ll"),
    ("ill be; he is ill. id like an id", "i ll be ; he is ill . i d like an id"),
    ("lets go he lets them", "let s go he lets them"),
    ("its a dog its tail its so-called", "it s a dog its tail its so-called"),
    ("I wont go, as is his wont, wont to", "I wo nt go , as is his wont , wont to"),
    ("a wanna-be, I wanna be", "a wanna-be , I wan na be"),
    ("cc'd OK'd I'd", "cc'd OK'd I 'd"),
]


ALL = [*MEASURES, *NAMES, *EMOTICONS, *CONTRACTIONS]


@pytest.mark.parametrize(("text", "expected"), ALL)
def test_tokens(text, expected):
    assert tokenize(text) == expected.split()


def test_tokens_where_hyphens_split_words():
    text = "5-10km, 10km-long, 00-1b-44-11-3a-b7"
    expected = "5 - 10 km , 10 km - long , 00-1b-44-11-3a-b7"
    assert " ".join(tokenize(text, True)) == expected


def test_a_text_may_end_anywhere():
    ends = {text[:n] for text, _ in ALL for n in range(len(text))}
    with fixed_kernels(plain=True):  # where an index outside of an array is an error
        assert all(map(tokenize, (text for text in ends if text.strip())))

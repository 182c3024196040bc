"""senna-py: its verbs, and what `tag` does otherwise than senna-tag."""

import click
import pytest

from senna_py.cli.root import VERBS, command
from tests.helpers.commands import MODEL, assert_one_line_error, printed, run, tag

TEXT = b"He lives in Rome. She left.\nIt rains.\n"


def listed():
    return command.list_commands(click.Context(command))


def test_verbs_are_listed_in_order_with_their_help():
    shown = printed(run("senna-py", "--help"))
    lines = shown.split("Verbs:\n")[1].split("\n\n")[0].splitlines()
    assert [tuple(line.split(maxsplit=1)) for line in lines] == [
        (name, VERBS[name][-1]) for name in listed()
    ]


@pytest.mark.parametrize("name", listed())
def test_every_verb_has_help(name):
    assert f"senna-py {name} " in printed(run("senna-py", name, "--help"))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("senna-py nope", "No such command 'nope'.\n"),
        ("senna-py tagg", "No such command 'tagg'. Did you mean 'tag'?"),
        ("senna-py tokenise --help", "Did you mean 'tokenize'?"),
        ("senna-py model inof", "Did you mean 'info'?"),
        ("senna-model inof", "Did you mean 'info'?"),
        ("senna-eval modle", "Did you mean 'model'?"),
        ("senna-lm scroe x", "Did you mean 'score'?"),
        ("senna-eval dep x", "Did you mean 'model dep'?"),
    ],
)
def test_an_unknown_verb(command, said):
    assert_one_line_error(run(*command.split()), said, code=2, is_last=True)


def test_tag_finds_sentences_in_running_text():
    expected = printed(tag("-pos", "-offsettags", "--split-sentences", stdin=TEXT))
    assert expected.count("\n\n") == 3
    for more in ((), ("--split-sentences",)):
        command = "senna-py", "tag", "--path", MODEL, "--pos", "--offsettags", *more
        assert printed(run(*command, stdin=TEXT)) == expected


def test_lines_are_sentences_if_asked_for():
    found = run("senna-py", "tag", "--path", MODEL, "--pos", "--lines", stdin=TEXT)
    assert found.stdout == tag("-pos", stdin=TEXT).stdout
    found = run("senna-py", "tokenize", "--path", MODEL, "--lines", stdin=TEXT)
    assert found.stdout == b"He lives in Rome . She left .\nIt rains .\n"
    for verb in (("tag",), ("tokenize",), ("corpus", "x", "-o", "y")):
        result = run("senna-py", *verb, "--lines", "--paragraphs", stdin=TEXT)
        assert_one_line_error(result, "--lines", code=2, is_last=True)

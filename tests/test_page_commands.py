"""The commands of pages run as they stand, and print what the pages show.

Pages on training are in tests/cli/test_train.py, learning in
tests/learning/test_learning_page.py.
"""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.helpers.commands import run
from tests.helpers.page_commands import run_lines
from tests.helpers.page_files import write_page_files
from tests.helpers.page_steps import BEFORE, NAMES, OPTIONS
from tests.helpers.pages import PAGES, blocks_of, commands_of, files_of
from tests.helpers.pages_elsewhere import why_not
from tests.helpers.shell import Shell, pipes_of

LONG = pytest.mark.script  # of pages that take the longest
RUN = [
    pytest.param("CONTRIBUTING.md", marks=LONG),
    "docs/develop/performance.md",
    pytest.param("docs/guide/dependencies.md", marks=LONG),
    pytest.param("docs/guide/evaluate.md", marks=LONG),
    "docs/guide/formats.md",
    "docs/guide/from-allennlp.md",
    "docs/guide/install.md",
    pytest.param("docs/guide/large-corpora.md", marks=LONG),
    pytest.param("docs/guide/models.md", marks=LONG),
    "docs/guide/records.md",
    pytest.param("docs/guide/rules.md", marks=LONG),
    "docs/guide/search.md",
    "docs/guide/senna.md",
    pytest.param("docs/guide/server.md", marks=LONG),
    "docs/guide/tagging.md",
    "docs/guide/tokens.md",
    "docs/guide/triples.md",
    "docs/guide/visualize.md",
    pytest.param("docs/index.md", marks=LONG),
    pytest.param("docs/models/accuracy.md", marks=LONG),
    "docs/models/index.md",
    pytest.param("docs/models/languages.md", marks=LONG),
    "docs/models/speed.md",
    "docs/reference/config.md",
    pytest.param("docs/reference/files.md", marks=LONG),
    "docs/reference/senna-directories.md",
    "docs/train/character-models.md",
    "docs/train/clusters.md",
    "docs/train/language-models.md",
    pytest.param("docs/train/nplm.md", marks=LONG),
    pytest.param("docs/train/word-vectors.md", marks=LONG),
    pytest.param("docs/train/your-language.md", marks=LONG),
    pytest.param("models/characters/MODEL_CARD.md", marks=LONG),
    pytest.param("models/embeddings/MODEL_CARD.md", marks=LONG),
    pytest.param("models/en/MODEL_CARD.md", marks=LONG),
    pytest.param("models/pt/MODEL_CARD.md", marks=LONG),
    pytest.param("recipes/README.md", marks=LONG),
]


def name_of(page):
    """The name of a page of RUN."""
    return page if isinstance(page, str) else page.values[0]


LARGE = "it is of a corpus or a model that is not here"
MESSAGE = "the test of messages, below"
# Why the commands of a page do not print here what it shows, by its beginning.
NOT_PRINTED = {
    "           precision    recall": LARGE,
    "2,001 sentences, 10,000 samples": LARGE,
    "0010\tdog": "tests/test_page_inputs.py",
    "xyzzy\t": "tests/test_page_inputs.py",
    "-       (A0*)": "tests/test_page_inputs.py",
    "senna-train: a network with an array": "it says how much memory there is",
    "pattern     = alternatives": "it is a grammar",
    "senna-py search [OPTIONS]": "it is the usage",
    "senna-py: the pattern": MESSAGE,
    "senna-tag: missing.txt": MESSAGE,
    "(S1 (S (NP (PRP He))": MESSAGE,
    "T2\tPROPN 0 4\tMary": MESSAGE,
}


TASKS = "pos", "chk", "ner", "pt0", "psg", "vbs", "srl", "upos", "feats", "dep"


def whole(line):
    """A command, also where the model card has only the arguments of senna-eval."""
    return f"senna-eval model {line}" if line.split()[0] in TASKS else line


@pytest.fixture(scope="session")
def files(tmp_path_factory, shipped_model):
    """The directory with the files that pages name, of a few sentences."""
    shell = Shell(tmp_path_factory.mktemp("pages"), {})
    write_page_files(shell)
    return shell.directory


OUTPUT = "", "json"  # kinds of blocks that show what a command prints or writes


def is_shown(text, texts):
    """Whether texts have the lines of a text, in which ... and … stand for what is left
    out.
    """
    parts = re.split(r"\.\.\.|…", text.strip("\n"))
    pattern = ".*?".join(map(re.escape, parts))
    return re.search(f"^{pattern}$", texts, re.MULTILINE) is not None


def written(directory):
    """The texts of the files below a directory."""
    for place, _, names in os.walk(directory):
        for name in names:
            path = Path(place, name)
            if not path.is_symlink() and path.stat().st_size < 1 << 20:
                yield path.read_text("utf-8", "replace")


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_pages_run_as_they_stand(page, files, tmp_path):
    place = shutil.copytree(files, tmp_path / "place", symlinks=True)
    shell = Shell(place, OPTIONS, NAMES)
    for name, text in files_of(PAGES[page]):
        shell.write(name, text)
    lines = [whole(line) for line in commands_of(PAGES[page]) if why_not(line) is None]
    printed, left_out = run_lines(shell, lines, BEFORE)
    if left_out:
        pytest.skip("; ".join(left_out))
    texts = "".join([printed, *written(place)])
    for block in blocks_of(PAGES[page]):
        if block.kind in OUTPUT and not block.text.startswith((*NOT_PRINTED,)):
            assert is_shown(block.text, texts), block.text


def test_what_is_prepared_is_a_command():
    lines = [line for each in RUN for line in commands_of(PAGES[name_of(each)])]
    for beginning in (*OPTIONS, *BEFORE):
        assert any(beginning in line for line in lines), beginning


# Commands that pages do not have in a block, but whose output or message they show.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "line"),
    [
        ("docs/guide/formats.md", "echo He lives in Rome. | senna-tag --format trees"),
        ("docs/guide/formats.md", "echo Mary lives | senna-py tag --dep --format brat"),
        ("docs/guide/search.md", """senna-py search '[pos="NN"' text.txt"""),
        ("docs/guide/search.md", "senna-py search '[] >nsubjpass []' text.txt"),
        (
            "docs/reference/files.md",
            "senna-tag -o tagged.txt missing.txt sentences.txt",
        ),
    ],
)
def test_what_pages_show_is_printed(page, line, files, tmp_path):
    for name in ("sentences.txt", "text.txt"):
        shutil.copy(files / name, tmp_path)
    data = b""
    for words, *_ in pipes_of(line):
        program, *arguments = words
        if program == "echo":
            data = " ".join(arguments).encode() + b"\n"
        else:
            result = run(*words, stdin=data, cwd=tmp_path)
    printed = (result.stdout + result.stderr).decode().strip("\n")
    assert printed in [block.text.strip("\n") for block in blocks_of(PAGES[page])]

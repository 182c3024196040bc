"""Every command and block of the pages is run, read or compared by some test.

tests/helpers/pages_elsewhere.py says why the others are not.
"""

import ast
import re
from pathlib import Path

import pytest

from senna_py.rules.file import read_rules
from senna_py.tagging.config import read_config
from tests import test_docs
from tests.cli.test_help_examples import EXAMPLES
from tests.helpers.pages import PAGES, ROOT, blocks_of, commands_of
from tests.helpers.pages_elsewhere import (
    BLOCKS,
    CODE,
    ELSEWHERE,
    OUTPUTS,
    SCRIPTS,
    WHOLE_PAGES,
    WHY,
    script_of,
    why_not,
)
from tests.helpers.shell import PROGRAMS
from tests.test_page_commands import NOT_PRINTED, OUTPUT, RUN, is_shown, name_of

RUN_PAGES = {name_of(page) for page in RUN}
COMMANDS = {name: commands_of(page) for name, page in PAGES.items()}
BLOCKS_OF = {name: blocks_of(page) for name, page in PAGES.items()}
HELP = "docs/reference/cli/"  # pages that are made from help
EXAMPLES_OF_HELP = {line for lines in EXAMPLES.values() for line in lines}


def test_every_command_is_run_or_it_is_said_why_not():
    others = {*RUN_PAGES, *WHOLE_PAGES}
    assert others <= {*PAGES}
    for name in {*PAGES} - others:
        examples = EXAMPLES_OF_HELP if name.startswith(HELP) else ()
        left = [line for line in COMMANDS[name] if line not in examples]
        assert [line for line in left if why_not(line) is None] == [], name


def test_reasons_are_those_of_commands():
    lines = [line for lines in COMMANDS.values() for line in lines]
    for beginning in WHY:
        assert any(line.startswith(beginning) for line in lines), beginning
    own = [beginning for beginning in WHY if beginning.startswith(PROGRAMS)]
    assert own == ["senna-py corpus --cluster"]


def test_pages_that_other_tests_run_are_named_there():
    for name, test in WHOLE_PAGES.items():
        assert name.rpartition("/")[2] in (ROOT / test).read_text("utf-8"), name


def test_tests_that_reasons_name_exist():
    reasons = (WHY, WHOLE_PAGES, BLOCKS, CODE, OUTPUTS, NOT_PRINTED)
    for reason in (each for found in reasons for each in found.values()):
        for name in re.findall(r"[\w.]+/[\w./]*\w", reason):
            assert (ROOT / name).exists(), reason


def test_scripts_of_pages_are_run_by_the_tests_of_scripts():
    tests = "".join((ROOT / path).read_text("utf-8") for path in SCRIPTS)
    lines = [line for found in COMMANDS.values() for line in found]
    run_here = {script_of(line) for line in lines if why_not(line) is None}
    others = [line for line in lines if why_not(line) == ELSEWHERE]
    for script in {script_of(line) for line in others} - run_here:
        assert f"{Path(script).stem}" in tests, script


def test_options_are_those_of_the_script():
    for lines in COMMANDS.values():
        for line in lines:
            script = script_of(line)
            if script is None or script.endswith(".sh"):  # that passes options on
                continue
            source = (ROOT / script).read_text("utf-8")
            for name in re.findall(" --([a-z][\\w-]*)", re.split(" +# ", line)[0]):
                assert f"--{name}" in source or f'"{name}":' in source, line


def test_outputs_are_compared_or_it_is_said_why_not():
    shown = {
        name: [b for b in blocks if b.kind in OUTPUT]
        for name, blocks in BLOCKS_OF.items()
    }
    for name in {*PAGES} - RUN_PAGES:
        left = [b.text for b in shown[name] if not b.text.startswith((*OUTPUTS,))]
        assert left == [], name
    for beginning in (*OUTPUTS, *NOT_PRINTED):
        texts = [block.text for blocks in shown.values() for block in blocks]
        assert any(text.startswith(beginning) for text in texts), beginning


def test_other_kinds_of_blocks_are_known():
    known = {"sh", "python", "toml", *OUTPUT}
    found = set()
    for name, blocks in BLOCKS_OF.items():
        for block in blocks:
            if block.kind not in known and not name.startswith(HELP):
                found.add((name, block.kind))
            # Usage, forms and defaults, as docs/write.py takes them from help.
            assert (
                block.kind == "text" or not name.startswith(HELP) or block.kind == "sh"
            )
    assert found == {*BLOCKS}


def test_python_is_run_or_it_is_said_why_not():
    """Sessions are those of the doctests, and blocks those of tests/test_python_blocks.py."""
    sessions = {name_of(page) for page in test_docs.PYTHON}
    blocks = (ROOT / "tests/test_python_blocks.py").read_text("utf-8")
    for name, found in BLOCKS_OF.items():
        for block in found:
            if block.kind not in ("python", "py"):
                continue
            if block.text.lstrip().startswith(">>> "):
                assert name in sessions, name
            elif not name.startswith("docs/reference/python-"):  # signatures
                is_elsewhere = block.text.startswith((*CODE,))
                assert is_elsewhere or f'"{name}"' in blocks, block.text
                ast.parse(block.text)


def test_reasons_are_those_of_code():
    texts = [block.text for blocks in BLOCKS_OF.values() for block in blocks]
    for beginning in CODE:
        assert any(text.startswith(beginning) for text in texts), beginning


SMALL = """task = "pos"
[[train]]
files = ["train.conllu"]
[[dev]]
files = ["dev.conllu"]
"""


def configurations():
    """Names of pages, and configurations: parts of one follow the one before."""
    for name, blocks in BLOCKS_OF.items():
        before = SMALL
        for block in blocks:
            if block.kind == "toml" and name != "docs/guide/rules.md":
                is_whole = block.text.startswith("task")
                before = block.text if is_whole else f"{before}\n{block.text}"
                yield pytest.param(before, id=name)


@pytest.mark.parametrize("text", [*configurations()])
def test_configurations_can_be_read(text, tmp_path):
    (tmp_path / "run.toml").write_text(text, "utf-8")
    assert read_config(tmp_path / "run.toml").train


def test_rules_can_be_read(tmp_path):
    (tmp_path / "drugs.txt").write_text("ibuprofen\n")
    for block in BLOCKS_OF["docs/guide/rules.md"]:
        if block.kind == "toml":
            (tmp_path / "my.toml").write_text(block.text, "utf-8")
            assert read_rules(tmp_path / "my.toml").entities


def test_what_is_left_out_of_an_output_is_marked():
    assert is_shown("a …, d\n", "a b, c, d")
    assert is_shown("a ...\n\n", "b\na b\nc")
    assert not is_shown("a c\n", "a b c")
    assert not is_shown("a b\n", "a b c")

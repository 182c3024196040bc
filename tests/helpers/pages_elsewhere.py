"""What of the pages tests/test_page_commands.py does not run, and why.

It is run by another test, or cannot be run here.
"""

import re

__all__ = [
    "BLOCKS",
    "CODE",
    "ELSEWHERE",
    "OUTPUTS",
    "SCRIPTS",
    "WHOLE_PAGES",
    "WHY",
    "script_of",
    "why_not",
]

# Pages whose commands other tests run.
WHOLE_PAGES = {
    "docs/train/cascades.md": "tests/cli/test_train.py",
    "docs/train/ensembles.md": "tests/cli/test_train.py",
    "docs/train/fine-tune.md": "tests/cli/test_train.py",
    "docs/train/first-tagger.md": "tests/cli/test_train.py",
    "docs/train/learn.md": "tests/learning/test_learning_page.py",
    "docs/train/roles-and-trees.md": "tests/cli/test_train.py",
    "docs/train/several-tasks.md": "tests/cli/test_train.py",
}
# Why commands are not run, by their beginnings.
WHY = {
    "git clone": "it fetches the repository; .ci/readme runs it with this checkout",
    "pip install": "it fetches packages; .ci/run and .ci/readme run README's",
    "pipx install": "it fetches a release from the package index",
    "uv add": "it fetches a release from the package index",
    "pip download": "it fetches an encoder",
    "python3 -m venv": "it makes an environment, which takes seconds; .ci/run makes one",
    ". .venv/bin/activate": "it changes the shell in which it is typed",
    "docker": "it needs Docker; tests/test_deployment.py reads the Dockerfile",
    "MALLOC_TRIM_THRESHOLD_": "it needs the scheduler of a cluster",
    "senna-py corpus --cluster": "it needs a cluster and an object store; "
    "tests/parts/test_dask.py has a cluster of its own",
    "senna -path": "it is SENNA, which this project does not have",
    "time NUMBA_CACHE_DIR": "it compiles all kernels, as the first lines of .ci/run do",
}
WHY |= {
    # CONTRIBUTING.md
    "pytest": "it runs the tests, and so this one",
    "SENNA_PY_VARIANTS=1 pytest": "it runs the tests, and so this one",
    "pre-commit install": "it writes into the repository",
    "ruff check": ".ci/run makes this check",
    "mypy": ".ci/run makes this check",
    ".ci/run": "it runs the tests, and so this one",
    ".ci/readme": "it installs the package, as a job of its own",
    "mkdocs serve": "it serves until it is stopped; .ci/run builds the same pages",
    "mkdocs build": ".ci/run makes this check",
    "sh docs/playground/prepare.sh": "it fetches packages for the browser, as a job does",
    # docs/develop
    "git worktree add": "COMMIT is the user's; tests/test_benchmarks.py compares checkouts",
    "cd benchmarks": "it changes the directory for the two commands that follow",
    'python -c "from common.roofline': "benchmarks/ranking_lm.py calls it, too",
    "OPENBLAS_CORETYPE=Haswell python": "benchmarks/ranking_lm.py calls it, too",
    "git tag": "it publishes a version",
    "rm -rf dist": "it removes files of the checkout",
    "python -m build": "tests/test_distributions.py builds the same",
    "twine check": "a job of each push makes this check",
    "check-wheel-contents": "a job of each push makes this check",
    "python .ci/version.py": "tests/test_releasing.py runs it in a small checkout",
    "python .ci/try_distribution.py": "a job of each push runs it with what it has built",
    "python docs/versions.py": "tests/test_releasing.py runs it in a small checkout",
}
# The tests that run scripts of recipes and benchmarks, with small data.
SCRIPTS = (
    "tests/test_benchmarks.py",
    "tests/test_recipe_runs.py",
    "tests/test_recipes.py",
    "tests/cli/test_language_recipe.py",
)
ELSEWHERE = "other tests run it with small data"
# Scripts that run here, too.
_RUN_HERE = (
    "python recipes/en/features.py models/en",
    "python recipes/en/pooling.py mod",
    "python recipes/page.py",
)
_SCRIPT = re.compile(
    r"(?:for seed in [\d ]+; do |\w+=\S+(?: -d\))? )*(?:python )?"
    r"((?:recipes|benchmarks)/[\w/]+\.(?:py|sh))\b"
)
_PYTORCH = "recipes/en/teacher/", "recipes/en/gpu/"


def script_of(line: str) -> str | None:
    """The path of the script of recipes or benchmarks that a command runs."""
    found = _SCRIPT.match(line)
    return found and found[1]


def why_not(line: str) -> str | None:
    """Why a command of a page is not run with the others; None: it is run."""
    for beginning, reason in WHY.items():
        if line.startswith(beginning):
            return reason
    script = script_of(line)
    if script is None or line.startswith(_RUN_HERE):
        return None
    if script.startswith(_PYTORCH):
        return "it needs PyTorch, and most of these a GPU"
    return ELSEWHERE


# Where blocks of other kinds are tested, or why they are not.
BLOCKS = {
    ("docs/guide/install.md", "powershell"): "it is for Windows",
    ("docs/guide/redact.md", "console"): "tests/redaction/test_page.py",
    ("docs/guide/redact.md", "py"): "tests/test_presidio.py",
    ("docs/guide/server.md", "console"): "tests/server/test_server_page.py",
    ("docs/guide/server.md", "nginx"): "it needs nginx, and certificates",
    ("docs/guide/spacy.md", "ini"): "tests/test_spacy.py",
}
# Where Python that is not a session is tested, or why it is not, by its beginning.
CODE = {
    "import pyarrow.dataset as ds": "tests/test_docs.py",
    "duckdb.sql": "it needs DuckDB",
    "import pyarrow.parquet as pq\nfrom pyspark": "tests/test_dataframe.py",
    "import ray": "tests/test_dataframe.py",
    "import dask.dataframe as dd": "tests/test_dataframe.py",
    "from presidio_analyzer": "tests/test_presidio.py",
    "import spacy\nfrom negspacy": "tests/test_spacy_packages.py",
    "import spacy\nfrom textacy": "tests/test_spacy_packages.py",
    "import senna_py\n\nnlp = senna_py.load()\nexamples": "tests/learning/test_learning_page.py",
}
# Where outputs on pages that other tests run are compared, or why not, by their
# beginnings.
OUTPUTS = {
    "bytes ──text──▶": "it is a drawing",
    "Mary\tNP/1:0.9987": "tests/test_page_inputs.py",
    "         Angela\t     B-PER\t         O": "tests/cli/test_train.py",
    "senna-train CONFIG CORPORA RUN": "it is the usage",
    "            the\t        DT": "tests/cli/test_train.py, in other columns",
    "git clone --depth 1": "it fetches a treebank",
    "1 annotation widened": "tests/learning/test_learning_page.py",
    "Ann     -": "tests/test_page_inputs.py",
    "(S (NP (DT the)": "tests/test_page_inputs.py",
    "goose\tgoose": "tests/test_page_inputs.py",
}

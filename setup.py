"""What pyproject.toml cannot say.

The shipped model goes into the wheel, if there is one. README.md describes the package; its links
to files beside it would lead nowhere on a package index. SENNA_PY_ADDRESS, the address of the
repository on the web, makes them lead there, and is named in the metadata.
"""

import os
import re
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_MODEL = Path("models") / "en"
_ADDRESS = os.environ.get("SENNA_PY_ADDRESS", "").rstrip("/")
_FILES = ("model.safetensors", "MODEL_CARD.md", "LICENSE")


class BuildWithModel(build_py):
    """Builds the package with the files of models/en as senna_py/models/en.

    They cannot be a package of setuptools: that would have to exist. An editable installation
    finds them in the checkout.
    """

    def run(self):
        """Build, then copy what is there."""
        super().run()
        if not self.editable_mode:
            for source, target in self._model_files().items():
                self.mkpath(str(Path(target).parent))
                self.copy_file(source, target)

    def get_outputs(self, include_bytecode=True):
        """Name all that is built."""
        return [*super().get_outputs(include_bytecode), *self._model_files().values()]

    def get_source_files(self):
        """Name all that a source distribution needs."""
        return [*super().get_source_files(), *self._model_files()]

    def _model_files(self):
        target = Path(self.build_lib) / "senna_py" / _MODEL
        return {str(_MODEL / f): str(target / f) for f in _FILES if (_MODEL / f).is_file()}


def description():
    """Text of README.md; links to files of the project lead to its address, or are left out."""
    text = Path("README.md").read_text(encoding="utf-8")
    picture = rf"![\1]({_ADDRESS}/raw/HEAD/\2)" if _ADDRESS else ""
    text = re.sub(r"!\[([^\]]+)\]\((?!https?:)([^)]+)\)", picture, text)
    target = rf"[\1]({_ADDRESS}/blob/HEAD/\2)" if _ADDRESS else r"\1"
    return re.sub(r"\[([^\]]+)\]\((?!https?:)([^)]+)\)", target, text)


def addresses():
    """Addresses of the project by label, for the metadata."""
    pages = {"Source": "", "Documentation": "/blob/HEAD/docs/index.md",
             "Changelog": "/blob/HEAD/CHANGELOG.md", "Issues": "/issues"}  # fmt: skip
    return {label: _ADDRESS + page for label, page in pages.items()} if _ADDRESS else {}


setup(
    cmdclass={"build_py": BuildWithModel},
    long_description=description(),
    long_description_content_type="text/markdown",
    project_urls=addresses(),
)

"""What pyproject.toml cannot say.

The shipped model goes into the wheel, if there is one; README.md describes the package without its
links to files beside it, which lead nowhere on a package index.
"""

import re
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_MODEL = Path("models") / "en"
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
    """Text of README.md, with the text of links to files of the project in their place."""
    text = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]+\)", r"\1", text)


setup(
    cmdclass={"build_py": BuildWithModel},
    long_description=description(),
    long_description_content_type="text/markdown",
)

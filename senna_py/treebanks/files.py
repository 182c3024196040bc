"""The files of a treebank, which are found by the ends of their names."""

import re
from dataclasses import dataclass
from pathlib import Path

from senna_py.errors import SennaError
from senna_py.io.file_errors import report_os_errors
from senna_py.io.files import AnyPath
from senna_py.io.package_tables import read_table

_ENDS = ("train.conllu", "dev.conllu", "ner.train", "ner.dev")
# The end of the name of a part of a large set, such as `de_hdt-ud-train-a-1.conllu`.
_PART = r"-[a-z0-9]+(?:-[a-z0-9]+)*"
_COMPRESSED = r"(?:\.(?:gz|xz|bz2))?$"
# The language in the name of a UD file, such as `fr_sequoia-ud-train.conllu`, and in
# other names, such as `fr_all.conllu`.
_UD_NAME = re.compile(r"([a-z]{2,3})_[a-z0-9]+-ud-")
_NAME = re.compile(r"([a-z]{2})_")
# The language in the name of a directory of UD, such as `UD_Old_French-PROFITEROLE`.
_UD_DIRECTORY = re.compile(r"UD_([A-Z][a-z]*(?:_[A-Z][a-z]*)*)-")
_LANGUAGES = Path(__file__).with_name("languages.tsv")  # The codes of UD's languages.
# The codes of ISO 639-1 that count in other names. Those that are more often a word at
# the beginning of an English name are left out: an, as, my, or, so, to.
_CODES = """
aa ab ae af ak am ar av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy
da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho
hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks
ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt na nb nd ne ng nl
nn no nr nv ny oc oj om os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl
sm sn sq sr ss st su sv sw ta te tg th ti tk tl tn tr ts tt tw ty ug uk ur uz ve vi
vo wa wo xh yi yo za zh zu
"""


@dataclass(frozen=True)
class TreebankFiles:
    """The paths of the files of a treebank.

    Attributes:
        train: The CoNLL-U files to train on, which are parts of one treebank; empty if
            there are only entities.
        dev: The CoNLL-U files to score on; empty if there are none.
        ner_train: A file of words and entities to train on (see `treebanks.entities`),
            or None.
        ner_dev: A file of words and entities to score on, or None.
        language: The code of the language, such as `fr`, or an empty string.
        named_by: The name of the file or directory that begins with this code or with
            the name of the language, or an empty string.
    """

    train: tuple[Path, ...]
    dev: tuple[Path, ...]
    ner_train: Path | None
    ner_dev: Path | None
    language: str
    named_by: str

    def paths(self) -> list[Path]:
        """Return the paths of all files."""
        entities = (self.ner_train, self.ner_dev)
        files = (*self.train, *self.dev, *entities)
        return [path for path in files if path is not None]

    @property
    def train_place(self) -> Path:
        """The CoNLL-U file to train on, or the directory of several."""
        return self.train[0] if len(self.train) == 1 else self.train[0].parent


def find_files(path: AnyPath) -> TreebankFiles:
    """Find the files of a treebank.

    The language is the code at the beginning of the name of the training file, such as
    `fr_`, or of its directory. A code of three letters counts only in a name such as
    `wbp_ufal-ud-train.conllu`. A directory may also have the name that UD gives it,
    such as `UD_French-Sequoia`.

    Args:
        path: A CoNLL-U file to train on; or a directory with files whose names end in
            `train.conllu`, `dev.conllu`, `ner.train` and `ner.dev`, at least one of
            which must be a training file. If a set is divided into parts, such as
            `de_hdt-ud-train-a-1.conllu`, they are in the order of their names.

    Raises:
        SennaError: If there is no training file, or several files that are not parts of
            one set have the same role.
    """
    place = Path(path)
    if not place.is_dir():
        return TreebankFiles((place,), (), None, None, *_language(place))
    with report_os_errors(place):
        names = sorted(entry.name for entry in place.iterdir() if entry.is_file())
    train, dev = (_find_set(place, names, end) for end in _ENDS[:2])
    ner_train, ner_dev = (_find(place, names, end) for end in _ENDS[2:])
    first = train[0] if train else ner_train
    if first is None:
        raise SennaError(
            f"{place}: no file to train on: none has a name that ends in train.conllu"
        )
    return TreebankFiles(train, dev, ner_train, ner_dev, *_language(first))


def _find_set(directory: Path, names: list[str], end: str) -> tuple[Path, ...]:
    """Return the path of the file whose name ends in `end`, or those of its parts.

    The result is empty without a file. Raises SennaError if there are several sets.
    """
    if (path := _find(directory, names, end)) is not None:
        return (path,)
    stem, extension = end.split(".")
    pattern = re.compile(rf"(.*-)?{stem}{_PART}\.{extension}{_COMPRESSED}")
    matches = [match for match in map(pattern.match, names) if match is not None]
    if len({match[1] for match in matches}) > 1:
        parts = [match[0] for match in matches]
        raise _several(directory, f"{stem}-PART.{extension}", parts)
    parts = sorted((match[0] for match in matches), key=_in_order)
    return tuple(directory / name for name in parts)


def _in_order(name: str) -> list[tuple[int, str]]:
    """Return a key by which `a-2` precedes `a-10`."""
    pieces = re.split(r"(\d+)", name)
    return [(int(piece) if piece.isdecimal() else 0, piece) for piece in pieces]


def _find(directory: Path, names: list[str], end: str) -> Path | None:
    """Return the path of the file whose name ends in `end`, or None without one.

    Raises SennaError if there are several.
    """
    pattern = re.compile(re.escape(end) + _COMPRESSED)
    matching = [name for name in names if pattern.search(name)]
    if len(matching) > 1:
        raise _several(directory, end, matching)
    return directory / matching[0] if matching else None


def _several(directory: Path, end: str, names: list[str]) -> SennaError:
    """Return the error for a directory that has several treebanks."""
    return SennaError(
        f"{directory}: several files end in {end}: {', '.join(names)}; "
        "expected one treebank"
    )


def _language(path: Path) -> tuple[str, str]:
    """Return the code of the language of a file, and the name that tells it.

    Both are empty if neither the file nor its directory has such a name.
    """
    for name in (path.name, path.parent.resolve().name):
        if match := _UD_NAME.match(name):
            return match[1], name
        if (match := _NAME.match(name)) and match[1] in _CODES:
            return match[1], name
        if (match := _UD_DIRECTORY.match(name)) and (code := code_of(match[1])):
            return code, name
    return "", ""


def code_of(language: str) -> str:
    """Return the code of a language of UD, or an empty string.

    Args:
        language: The name of the language, such as `Old_French` or `old french`.
    """
    name = language.replace(" ", "_").title()
    return read_table(_LANGUAGES)["ud"].get(name, "")

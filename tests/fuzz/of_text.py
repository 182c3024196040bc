"""Target: text through every output format, with every tokenizer: what goes in comes
out.
"""

import gzip
import json
import re

import numpy as np

from senna_py.errors import one_line
from senna_py.formats.registry import FORMATS
from tests.fuzz.cases import Target, call, written
from tests.fuzz.damage import HOSTILE, damage_lines, replace_value
from tests.fuzz.of_models import GOLDEN

_PIECES = (
    "the",
    "The dog",
    "He",
    "can't",
    "U.S.",
    "e.g.",
    "3.5%",
    "$41.25",
    "1,000",
    '"',
    "''",
    "``",
    "“x”",
    "«y»",
    "l'homme",
    "geht's",
    "-",
    "--",
    "...",
    "…",
    "(",
    ")",
    "[",
    "<b>",
    "&amp;",
    "@me",
    "#tag",
    "http://a.b/c?d=e",
    "a@b.co",
    ":-)",
    "😀",
    "👩‍👩‍👧",
    "é",
    "e\u0301",
    "ß",
    "İ",
    "ﬁ",
    "中文",
    "日本語。",
    "עברית",
    "ไทย",
    "\u200b",
    "\u00a0",
    "\u2028",
    "\u2029",
    "\u0085",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1f",
    "\x7f",
    "\ufeff",
    "\ufffd",
    "\U0010ffff",
    "_",
    "|",
    "\\",
    "*",
    "#",
    "-LRB-",
    "-DOCSTART-",
    "Mr.",
    "A.",
    "!",
    "?",
    ".",
    ",",
    ";",
    "\t",
    " ",
    "  ",
    "S-V",
    "O",
    "-",
    "'",
)
_BLANK = re.compile(r"[\s_\x1c-\x1f]+")
# All that print text for any input; the others have tests of their own.
_FORMATS = [
    name for name in FORMATS if name not in ("html", "parquet", "probabilities", "rows")
]


_RULES = b"""
[new_labels]
ner = ["PRODUCT"]
[[tokens]]
text = "dunno"
tokens = ["dun", "no"]
[[tokens]]
text = ["C++", "e-mail"]
ignore_case = true
[[words]]
form = ["LGTM", "at"]
pos = "NN"
priority = "rules"
[[entities]]
label = "PRODUCT"
phrases = ["New York", "York C++"]
priority = "model"
[[entities]]
task = "ner"
label = "LOC"
phrases = "new york"
ignore_case = true
"""


class Texts(Target):
    """Text, of which characters, sentences and places are compared with what is
    printed.
    """

    name = "text"

    def prepare(self, directory):
        """Write a model for each tokenizer."""
        from senna_py.models.build import build_model
        from senna_py.models.native_writer import write_model
        from senna_py.text.tokenizer_kinds import LEARNED, TOKENIZERS
        from tests.helpers.native_models import model_arguments, senna_parts
        from tests.helpers.small_treebanks import learn_tokens

        self._models = {"golden": GOLDEN / "model"}
        directory.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng(0)
        for name in TOKENIZERS:
            if name == LEARNED:
                continue
            words, shared, parts, found, info = model_arguments(senna_parts(rng))
            self._models[name] = directory / f"{name}.safetensors"
            write_model(
                self._models[name],
                words,
                shared,
                parts,
                found,
                info | {"tokenizer": name},
            )
        learn_tokens(directory, training={"epochs": 1})
        self._models[LEARNED] = build_model(
            directory / f"{LEARNED}.safetensors",
            [str(self._models["treebank"]), str(directory / "run")],
        )

    def run(self, source, directory):
        """Tag one or two texts with one core and with two, and look at what came
        out.
        """
        form = source.choice(_FORMATS)
        names = (
            ["text.txt"]
            if form == "brat" or source.random() < 0.8
            else ["text.txt", "b.txt"]
        )
        for name in names:
            written(directory / name, a_text(source))
        texts = [(directory / name).read_bytes() for name in names]
        if source.random() < 0.3:
            names = [f"{name}.gz" for name in names]
            for name, text in zip(names, texts, strict=True):
                written(directory / name, gzip.compress(text))
        # Texts beyond some kilobytes are never tagged by NumPy fallbacks, which take
        # long for them.
        plain = sum(map(len, texts)) < 4000 and source.random() < 0.3
        model, options = (
            self._models[source.choice(sorted(self._models))],
            _options(source, form),
        )
        files = [directory / name for name in names]
        problem, outputs = _outputs(form, model, options, files, plain)
        assert outputs[0] == outputs[1], "one core and two print differently"
        if problem is None:
            _check(form, options, texts, outputs[0])
        return problem


class Documents(Target):
    """Documents of Python: places in their text, and JSON of theirs that somebody
    changed.
    """

    name = "documents"

    def prepare(self, directory):
        """Make taggers."""
        from senna_py.models.native_writer import write_model
        from senna_py.tagger import TASKS, Tagger
        from tests.helpers.native_models import arc_parts, model_arguments

        directory.mkdir(parents=True, exist_ok=True)
        path = directory / "arcs.safetensors"
        write_model(path, *model_arguments(arc_parts(np.random.default_rng(0))))
        models = (GOLDEN / "model", TASKS), (path, None)
        self._taggers = [
            Tagger(*of, with_scores=on) for of in models for on in (False, True)
        ]

    def run(self, source, directory):
        """Tag a text, and read its JSON before and after a change."""
        from senna_py import Document
        from senna_py.kernels.runtime.switch import fixed_kernels

        text = a_text(source)[:200].decode("utf-8", "surrogateescape")
        with fixed_kernels(plain=False):
            joined = source.random() < 0.5  # without the marks of quoted lines
            found = source.choice(self._taggers).document(text, paragraphs=joined)
        _look_at(found)
        if source.random() < 0.3:
            return _read_damaged_conllu(source, found)
        assert all(
            text[token.start_char : token.end_char] == token.text
            for token in found.tokens
        )
        assert joined or _ink("".join(token.text for token in found.tokens)) == _ink(
            text
        )
        changed = found.to_dict()
        replace_value(source, changed)
        data = json.dumps(changed).encode()
        if source.random() < 0.3:
            data = damage_lines(source, data, (b'"', b",", b":"))
        try:
            again = Document.from_json(data)
        except ValueError as error:
            return one_line(error)
        _look_at(again)


def _read_damaged_conllu(source, document):
    """Read the CoNLL-U of a document after a change; returns the message of the error."""
    from senna_py import Document, SennaError

    data = damage_lines(source, document.to_conllu().encode("utf-8", "replace"))
    try:
        again = Document.from_conllu(data)
    except SennaError as error:
        return one_line(error)
    assert Document.from_bytes(again.to_bytes()) == again
    assert Document.from_conllu(again.to_conllu()).text == again.text
    return None


class RuleFiles(Target):
    """Files of rules for tokens, words and entities, and the documents they lead to."""

    name = "rules"

    def prepare(self, directory):
        """Make a tagger."""
        from senna_py.tagger import Tagger

        self._tagger = Tagger(GOLDEN / "model", ["pos", "ner"])

    def run(self, source, directory):
        """Damage a file of rules, and tag a text with what it says."""
        from senna_py import SennaError
        from senna_py.kernels.runtime.switch import fixed_kernels

        data = _RULES
        if source.randrange(4):  # Most damaged files are refused.
            data = damage_lines(source, data, (b" ", b"=", b'"', b","))
        path = directory / "rules.toml"
        path.write_bytes(data)
        try:
            tagger = self._tagger.add_rules(path)
        except SennaError as error:
            return one_line(error)
        text = a_text(source)[:200].decode("utf-8", "surrogateescape")
        with fixed_kernels(plain=False):
            _look_at(tagger.document(f"{text} dunno LGTM at New York C++"))
        return None


def _look_at(document):
    """Use all that a document has, which must come back from its JSON."""
    from senna_py import Document

    assert Document.from_json(document.to_json()) == document
    assert Document.from_bytes(document.to_bytes()) == document
    hash(document)
    repr(document)
    document._repr_html_()
    for sentence in document.sentences:
        repr((sentence, sentence.spans, [token.tags for token in sentence]))
        if "psg" in sentence.layers:
            repr([*sentence.tree.subtrees()])
        if "dep" in sentence.layers:
            repr(
                (
                    sentence.root,
                    [token.subtree for token in sentence[:9]],
                    sentence.noun_chunks,
                )
            )
        if "srl" in sentence.layers:
            # A random model has a frame for each token.
            repr((sentence.frames[:3], [token.roles for token in sentence[:9]]))


def _options(source, form):
    """Options of senna-tag for a format, and the tasks."""
    options = ["-usrtokens"] if source.random() < 0.3 else []
    if form in ("senna", "conll") and source.random() < 0.3:
        options.append("-offsettags")
    if form in ("senna", "conll", "conll2003") and source.random() < 0.3:
        options.append(source.choice(["-iobtags", "-brackettags"]))
    tasks = {"trees": [], "tokens": [], "brat": ["-ner"]}.get(form)
    if tasks is None:
        able = ["-pos", "-chk", "-ner"]
        able += ["-srl", "-psg", "-pt0"] if form != "conll2003" else []
        tasks = source.sample(able, source.randrange(1, 3))
    return [
        *options,
        *source.choice([[], [], ["--split-sentences"], ["--paragraphs"]]),
        *tasks,
    ]


def _outputs(form, model, options, files, plain):
    """A message or None, and what is printed of files with one core and with two."""
    from senna_py.cli.tag import command
    from senna_py.kernels.runtime.switch import fixed_kernels

    given = ["-path", model, "--format", form, *options]
    if form == "tokens":
        from senna_py.cli.tag import tokenize as command

        kept = [each for each in options if each != "--split-sentences"]
        given = ["--path", model, *(each.replace("-usr", "--usr") for each in kept)]
    outputs = []
    with fixed_kernels(plain):
        for jobs in (1, 2):
            out = files[0].with_name(f"out{jobs}")
            problem = call(command, *given, "--jobs", jobs, "-o", out, *files)
            outputs.append(out.read_bytes() if out.exists() else b"")
    return problem, outputs


def a_text(source):
    """Bytes of a text of some lines."""
    lines = []
    for _ in range(source.choice([0, 1, 2, 5, 20])):
        n = source.choice([0, 1, 3, 8, 30])
        pieces = source.choices(_PIECES, k=n)
        if source.random() < 0.1:
            pieces.append("".join(chr(source.randrange(1, 0xD800)) for _ in range(20)))
        line = source.choice([" ", " ", ""]).join(pieces).encode("utf-8", "replace")
        line = line.replace(b"\n", b" ")
        if source.random() < 0.1:
            line += source.choice(
                [b for b in HOSTILE if len(b) < 5000 and b"\n" not in b]
            )
        lines.append(line)
    if source.random() < 0.03:
        lines.append(b"a " * 3000)
    if source.random() < 0.03:
        lines.append(b"x" * 200_000)
    data = source.choice([b"\n", b"\n", b"\r\n"]).join(lines)
    if source.random() < 0.7:
        data += b"\n"
    if source.random() < 0.1:
        data = source.choice(
            [b"\xef\xbb\xbf" + data, data.decode("utf-8", "replace").encode("utf-16")]
        )
    return data


def _decoded(data):
    """A text as the program reads it: without its mark, bytes outside UTF-8 as
    surrogates.
    """
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return data.decode("utf-32", "replace")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def _ink(text):
    """A text without what is blank, or is printed for a blank."""
    return _BLANK.sub("", text)


# Where the words stand in what is printed.
_WORDS = {
    "senna": r"(?m)^(.*?)\t",
    "conll": r"(?m)^(.*?)\t",
    "conllu": r"(?m)^\d+\t(.*?)\t",
    "conll2003": r"(?m)^(?!-DOCSTART- -X- -X- O$)(.*?) ",
    "tokens": r"(.+)",
    "trees": r" ([^ ()]+)\)",
}


def _check(form, options, texts, printed):
    """Raise AssertionError unless what was printed has the characters of the texts."""
    texts = [_decoded(data) for data in texts]
    out = printed.decode("utf-8", "surrogateescape")
    splits = "--split-sentences" in options or "--paragraphs" in options
    if form in ("json", "jsonl"):
        lines = out.removesuffix("\n").split("\n")
        found = (
            json.loads(out or "[]")
            if form == "json"
            else map(json.loads, filter(None, lines))
        )
        _check_json(texts, [*found], splits)
    elif form == "brat":
        _check_standoff(texts[0], out)
    elif form in _WORDS:
        words, expected = re.findall(_WORDS[form], out), _ink("".join(texts))
        if form == "conll":
            words = map(_unquoted, words)
        if form == "trees":
            expected = expected.replace("(", "-LRB-").replace(")", "-RRB-")
        assert _ink("".join(words)) == expected, "other characters"


def _unquoted(word):
    return (
        word[1:-1].replace('""', '"') if re.fullmatch(r'"(?:""[^"]*)+"', word) else word
    )


def _check_json(texts, lines, split):
    for found in lines:
        for token in found["tokens"]:
            first, last = (
                token[key] - found["start_char"] for key in ("start_char", "end_char")
            )
            piece = found["text"][first:last]
            assert token["text"] == piece, (token, piece)
        for tags in found.get("tags", {}).values():
            assert len(tags) == len(found["tokens"])
        inside = "".join(token["text"] for token in found["tokens"])
        assert _ink(inside) == _ink(found["text"]), "a character without a token"
    names = [found["id"] for found in lines]
    assert len(set(names)) == len(names), "two sentences of one name"
    if not split:
        everything = "".join(found["text"] for found in lines)
        assert _ink(everything) == _ink("".join(texts))


def _check_standoff(text, out):
    for line in filter(None, out.split("\n")):
        _, place, words = line.split("\t")
        places = [
            [*map(int, each.split(" "))] for each in place.split(" ", 1)[1].split(";")
        ]
        assert all(0 <= begin < end <= len(text) for begin, end in places), line
        covered = "".join(text[begin:end] for begin, end in places)
        assert _ink(covered) == _ink(words), (covered, words)

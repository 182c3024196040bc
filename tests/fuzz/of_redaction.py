"""Target: redacted text, which comes back, and maps that somebody changed."""

import json

from senna_py.errors import SennaError, one_line
from tests.fuzz.cases import Target
from tests.fuzz.damage import damage_lines, replace_value
from tests.fuzz.of_models import GOLDEN
from tests.fuzz.of_text import a_text

_PIECES = (
    "a.b@example.org",
    "+49 30 1234567",
    "4111 1111 1111 1111",
    "GB82 WEST 1234 5698 7654 32",
    "1.2.3.4",
    "https://example.org/a?b=c",
    "Call 030 1234567",
    "[PERSON]",
    "PERSON_1",
    "Angela Merkel and A. Merkel",
)


class Redactions(Target):
    """Text that is redacted in every style, and brought back."""

    name = "redaction"

    def prepare(self, directory):
        """Make a tagger."""
        from senna_py.tagger import Tagger

        self._tagger = Tagger(GOLDEN / "model", ["ner"])

    def run(self, source, directory):
        """Redact a text, bring it back, and bring it back by a damaged map."""
        from senna_py.kernels.runtime.switch import fixed_kernels
        from senna_py.redaction import STYLES, restore
        from senna_py.redaction.type_names import OF_RULES

        pieces = [a_text(source)[:150].decode("utf-8", "surrogateescape")]
        pieces += [source.choice(_PIECES) for _ in range(source.randrange(5))]
        source.shuffle(pieces)
        text = source.choice(("", " ", ", ", "\n")).join(pieces)
        with fixed_kernels(plain=False):
            document = self._tagger.document(text)
        types = [*OF_RULES, "person", "place", "organization", "misc"]
        redaction = document.redact(types, source.choice([*STYLES]))
        assert redaction.restore() == text
        changed = redaction.to_map()
        replace_value(source, changed)
        data = json.dumps(changed).encode()
        if source.random() < 0.3:
            data = damage_lines(source, data, (b'"', b",", b":"))
        try:
            restore(redaction.text, data)
        except SennaError as error:
            return one_line(error)
        return None

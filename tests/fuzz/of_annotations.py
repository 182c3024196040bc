"""Target: files of annotation tools."""

from senna_py.errors import SennaError
from tests.corpora.test_annotations import FILES, TEXT
from tests.fuzz.cases import Target, written
from tests.fuzz.damage import damage_text

_OTHERS = {
    "brat/a.ann": b"T1\tPER 0 4\tMary\nT2\tORG 9 12\tIBM\n",
    "a.tsv": b"Mary\tB-PER\nmet\tO\nIBM\tB-ORG\n.\tO\n\n",
    "a.conllu": b"1\tMary\t_\t_\t_\t_\t0\troot\t_\tNER=S-PER\n\n",
}


class AnnotationFiles(Target):
    """Annotated texts in every format that is read."""

    name = "annotations"

    def prepare(self, directory):
        """Collect the same annotations in all formats."""
        self._files = {
            f"{i}.json": text.encode() for i, (_, text) in enumerate(FILES.values())
        }
        self._files |= _OTHERS

    def run(self, source, directory):
        """Damage a file, and read it: annotations are inside their texts."""
        from senna_py.corpora.annotations.files import read_annotations

        name = source.choice(sorted(self._files))
        path = directory / name
        data = self._files[name]
        if source.randrange(4):  # Most damaged files are refused.
            data = damage_text(source, data * source.choice([1, 3]))
        written(path, data)
        if name.endswith(".ann"):
            written(path.with_suffix(".txt"), damage_text(source, TEXT.encode()))
        try:
            file = read_annotations(path)
        except SennaError as error:
            return str(error)
        for text in file.texts:
            for each in text.annotations:
                assert 0 <= each.begin < each.end <= len(text.text)
                assert each.label
        return None

"""Tagging a corpus in parts, for `senna-py corpus`; a Work runs on workers, too."""

import hashlib
import json
import os
import sys
import threading
import time
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial

import numpy as np

from senna_py import __version__
from senna_py.cli.tag_options import TagOptions
from senna_py.cli.warm_up import compile_apart
from senna_py.corpora.places import blank_test
from senna_py.corpora.records import json_records
from senna_py.errors import SennaError, counted
from senna_py.io.progress import Progress, say
from senna_py.io.streaming import BY_MARK, InputError, read_batches
from senna_py.io.system import host
from senna_py.kernels.runtime.pace import one_way
from senna_py.model import Model
from senna_py.parts.inputs import LINES, PARAGRAPHS, Part, cut, find_inputs, open_part
from senna_py.parts.progress import tell
from senna_py.parts.run import results
from senna_py.parts.store import COUNTS, Store
from senna_py.pipeline.run import Pipeline

_OF_TEXT = "conllu", "conll2003", "brat"  # formats that JSON lines cannot have


def tag_corpus(names, work, connected, part_bytes, note):
    """Tag files, directories, globs and URLs in parts, each with an output of its own.

    work: a Work; connected: a context of workers, see `parts.run.connect`; note: see
    `tag_files`. Returns the number of inputs that could not be read; each was noted.
    Raises SennaError for what concerns all; what is done stays.
    """
    inputs, failed = find_inputs(names, work.store.holds)
    parts_of, records, n_before = {}, [], 0
    if work.options.output.pairs:
        part_bytes = sys.maxsize
    for found in inputs:
        try:
            name = work.store.name_of(Part(found))
            if name in parts_of:
                raise InputError(f"{found.name}: another input has the same output")
            parts_of[name] = cut(found, part_bytes, work.options.encoding or BY_MARK)
        except InputError as error:
            failed[found.name] = str(error)
    for reason in failed.values():
        note(reason)
    n_parts = sum(map(len, parts_of.values()))
    n_bytes = sum(part.size for parts in parts_of.values() for part in parts)
    begin = time.monotonic()
    say(f"{counted(n_parts, 'part')}, {counted(n_bytes, 'byte')}")
    with work.store.lock(note), connected as workers, _Report(n_bytes) as report:
        for part, result in results(workers, work, parts_of.values(), report.hear):
            if isinstance(result, str):
                if part.input.name not in failed:
                    note(result)
                failed.setdefault(part.input.name, result)
                continue
            record, notes = result
            report.hear(part.name, part.size, record["sentences"])
            records.append(record)
            n_before += notes is None
            for line, kind in notes or ():
                note(line, kind)
        if n_before:
            note(f"{n_before:,} of {n_parts:,} parts were there already")
        records.sort(key=lambda record: (record["input"]["name"], record["number"]))
        sums = {key: sum(record[key] for record in records) for key in COUNTS}
        manifest = {
            "complete": not failed,
            "settings": work.settings,
            **sums,
            "failed": failed,
        }
        work.store.finish({**manifest, "parts": records}, parts_of.values())
    made = ", ".join(counted(sums[f"{noun}s"], noun) for noun in ("sentence", "token"))
    say(
        f"{counted(len(records), 'part')}, {made}, in {time.monotonic() - begin:.1f} seconds"
    )
    return len(failed)


class _Report(Progress):
    """Progress through parts, of which workers tell, and once more if one is lost."""

    def __init__(self, total):
        super().__init__(total)
        self._sums, self._of_parts, self._lock = np.zeros(2, int), {}, threading.Lock()

    def hear(self, name, *done):
        """Count the bytes and sentences that are done of a part."""
        with self._lock:
            done = np.array(done)
            self._sums += done - self._of_parts.get(name, 0)
            self._of_parts[name] = done
            self.show_text(*self._sums.tolist())


@dataclass(frozen=True)
class Work:
    """Work to be done with every part, on whatever machine.

    store: where outputs go; text_field: where JSON lines have the text; digest: of the
    model.
    """

    store: Store
    options: TagOptions
    text_field: str
    digest: str

    @classmethod
    def of(cls, output, options, text_field="text"):
        """Make it for a directory or URL, with the model that is here; raises
        SennaError.
        """
        options = replace(options, path=options.path and os.path.abspath(options.path))
        store = Store.at(output, options.output)
        work = cls(store, options, text_field, Model(options.path).digest())
        _tools(options, work.digest)  # what cannot be done is said at once
        return work

    @property
    def settings(self):
        """Settings that the bytes of outputs depend on, as values of JSON."""
        others = {
            "senna-py": __version__,
            "path": self.digest,
            "text_field": self.text_field,
        }
        return self.options.as_dict() | others

    def scan(self, part, place):
        """Return the BatchPlace behind a Part that begins at a BatchPlace; raises InputError."""
        tagger, _ = _tools(self.options, self.digest)
        given = self.options
        is_blank = blank_test(tagger.tokenizer.kind, given.usrtokens, given.paragraphs)
        with self._source(part) as source:
            for lines in read_batches(source):
                place = place.after(lines, is_blank)
        return place

    def tag(self, part, place):
        """Tag a Part that begins at a BatchPlace; returns its record and notes, None if it
        was there.

        Raises InputError for its input, and another SennaError for what concerns all
        parts.
        """
        if part.input.is_records and self.options.format in _OF_TEXT:
            raise InputError(
                f"{part.input.name}: format {self.options.format} is of text files"
            )
        settings = json.dumps(self.settings, sort_keys=True).encode()
        facts = {**asdict(part), "settings": hashlib.sha256(settings).hexdigest()}
        if record := self.store.done(part, facts):
            return record, None
        notes = {}
        write = partial(self._annotate, part, place, notes.setdefault)
        return self.store.commit(part, facts, write), list(notes.items())

    def _annotate(self, part, place, note, file):
        """Write what is printed of a Part to a binary file; returns counts."""
        tagger, printer = _tools(self.options, self.digest)
        name, n_sentences, n_tokens = part.input.name, 0, 0
        begun = part.input.is_records or place.has_tokens_before
        pipeline = Pipeline(tagger, self.options, printer, note)
        compile_apart(self.options, tagger)
        with (
            printer.writer(file, part.input.is_records) as write,
            self._source(part) as source,
            one_way(plain=False),  # it waits for compiled kernels
        ):
            if part.begin == 0:
                write(printer.header())
            if part.input.is_records:
                records = json_records(source, self.text_field, place.line)
                batches = pipeline.read.records(records, source=source)
            else:
                batches = pipeline.read.lines(source, place)
            for printed in pipeline.print_all(batches):
                if not begun and len(printed.data):
                    write(printer.begin(name))
                    begun = True
                write(printed.data)
                n_sentences += printed.n_sentences
                n_tokens += printed.n_tokens
                tell(part.name, min(printed.end, part.size), n_sentences)
        return {"sentences": n_sentences, "tokens": n_tokens}

    def _source(self, part):
        mark = PARAGRAPHS if self.options.paragraphs else LINES
        return open_part(part, self.options.encoding or BY_MARK, mark)


@lru_cache(maxsize=4)
def _tools(options, digest):
    """The tagger and the printer of this process; raises SennaError if its model is
    another.
    """
    if Model(options.path).digest() != digest:
        path = options.path or "senna-py or its model"
        raise SennaError(f"{host()}: {path}: not the same as where the run began")
    tagger = options.tagger()
    return tagger, options.printer(tagger)

"""The Tagger, which runs a cascade of networks over text."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from senna_py import arguments
from senna_py.answers.annotations import Annotations
from senna_py.answers.joining import concatenate
from senna_py.answers.layer import Layer
from senna_py.corrections import find_corrections
from senna_py.errors import SennaError, UsageError
from senna_py.features.assembly import Assembly
from senna_py.features.form_inputs import FormInputs
from senna_py.features.forms import FormTable
from senna_py.features.protocol import Batch, FormValue
from senna_py.keywords import with_advice
from senna_py.labels.constraints import (
    role_automata,
    segment_automata,
    tag_automata,
)
from senna_py.labels.lemmas import AUXILIARY
from senna_py.labels.tasks import (
    ARCS,
    FEATS,
    LEMMA,
    NO_PREDICATE,
    POS,
    ROLES,
    UPOS,
    VERBS,
)
from senna_py.layers.constrained import Constraints
from senna_py.model import PREDICATES, TASKS, Model
from senna_py.models.tensors import release_pages
from senna_py.networks.agreement import agreeing
from senna_py.networks.base import Context
from senna_py.networks.batch import WordBatch
from senna_py.networks.combinations import CombinationChooser, scores_of_words
from senna_py.networks.lemmas import lemmas_of
from senna_py.networks.pooling import Pooling, RepeatedNames
from senna_py.networks.trunk import Trunk, trunks_of
from senna_py.other_names import OtherNames
from senna_py.pipeline.own_tokens import own_tokens
from senna_py.pipeline.texts import (
    tag_documents,
    tag_own_tokens,
    tag_sentences,
    tag_stream,
)
from senna_py.text.marks import mark_rule
from senna_py.text.paired_marks import pair_classes
from senna_py.text.row_classes import form_properties, role_classes, word_classes
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from os import PathLike
    from typing import Literal, TypeAlias, TypeVar

    from numpy.typing import NDArray

    from senna_py.answers.document import Document, Sentence
    from senna_py.labels.tasks import Task
    from senna_py.rules.file import Rules
    from senna_py.rules.of_tagger import TaggerRules
    from senna_py.search.matches import Match
    from senna_py.search.pattern import Pattern
    from senna_py.text.vocabulary import Vocabulary

    _Rest = TypeVar("_Rest")
    _RuleFile: TypeAlias = str | PathLike[str] | Rules
    RulesArgument: TypeAlias = _RuleFile | Iterable[_RuleFile] | None

# The maximum numbers of tokens in a sentence; longer sentences are cut. The first limit
# is for roles, trees and sentence networks, which take quadratic time (and the output
# for roles has quadratic size). The second is for other networks that see the whole
# sentence, which need about 3 KB of memory per token.
LONGEST_SENTENCE, _LONGEST_LINE = 1 << 10, 1 << 16
# The total size of the caches of first layers (see layers.window), in bytes. It is
# smaller with roles and trees, whose networks need more memory and take most of the
# time.
_CACHE_BYTES, _SMALL_CACHE_BYTES = 40 << 20, 24 << 20
_MOST_FORMS = 1 << 15  # the maximum number of forms whose first layers are kept
_AUTOMATA = {
    POS: tag_automata,
    "chk": segment_automata,
    "ner": segment_automata,
    ROLES: role_automata,
}
# The total size up to which memory-mapped lookup tables may stay in memory, in bytes.
_MAPPED_BYTES = 32 << 20
# The maximum number of tokens that are tagged at once, to limit the memory for states.
# Only a long line makes a batch larger than this.
_WORDS_AT_ONCE = 1 << 15


class Tagger(OtherNames):
    """Tags text with a model. Threads may share a tagger.

    Call it with one sentence, or use `document` for running text and `pipe` for many
    texts. The result for a sentence or a document is bit-for-bit the same, whatever else
    is in its batch, and whether compiled code or the NumPy fallback computes it.
    """

    def __init__(
        self,
        model: str | PathLike[str] | Model | None,
        tasks: str | Iterable[str] | None = None,
        predicates: str = VERBS,
        with_scores: bool = False,
        abbreviations: Iterable[str] = (),
        jobs: int = 1,
        join_hyphens: bool = False,
        tokens: str | None = None,
        rules: RulesArgument = None,
    ) -> None:
        """Read the networks that `tasks` need.

        `model` corresponds to `path` in `load`; the other arguments, and the errors, are
        as in `load`.
        """
        arguments.check_number(jobs, "jobs")
        self.model = model if isinstance(model, Model) else Model(model)
        if tasks is not None:
            tasks = (
                [tasks]
                if isinstance(tasks, str)
                else arguments.check_strings(tasks, "tasks")
            )
        self.predicates, self.with_scores, self.jobs = predicates, with_scores, jobs
        self.tokens = tokens or self.model.tokens_for(tasks or ())
        self._longest: int | None = None  # set by `cut_sentences`
        if predicates not in PREDICATES:
            known = ", ".join(PREDICATES)
            raise UsageError(
                f"no such source of predicates: {predicates!r}; there are {known}"
            )
        storage = self.model.storage
        order: Iterable[str] = dict.fromkeys((*TASKS, *storage.networks, LEMMA))
        if tasks is None:
            tasks = order = self._default_tasks()
        self._tasks = {name: self.model.task(name) for name in tasks}
        self.tasks = tuple(task for task in order if task in self._tasks)
        self.model.check(self._tasks, predicates)
        self._rules = self._find_rules(rules)
        # The requested tasks, and those that patterns of rules need.
        run = self.tasks
        if self._rules is not None:
            run = (*run, *self._rules.needs(run))
        self._makes_lemmas = LEMMA in run
        names = self.model.networks_for(run, predicates)
        self._networks = {name: storage.network(name) for name in names}
        # Networks that only provide input for other networks have tasks, too.
        self._network_tasks = self._tasks | {
            name: self.model.task(name) for name in names
        }
        self._assemblies = Assembly.of_networks(storage, names)
        self._constraints = {name: self._constraints_of(name) for name in names}
        self._pooling = {
            name: Pooling(share, self.labels(name).names)
            for name in names
            if (share := storage.pooling(name))
        }
        lists = POS in names and "class.casing" in storage.features(POS)
        self._casing: Any = storage.resource("classes", "casing") if lists else None
        # What the constraints on parts of speech ask of the form of a word.
        casing: Any = self._casing  # The function must not refer to the tagger.
        self._properties = FormValue(
            1, lambda forms: form_properties(forms.tokens, casing)[:, None]
        )
        self._trunks = self._find_trunks()
        self._inputs, self._forms = self._find_inputs()
        self._releases = self._maps_much()
        self.tokenizer = Tokenizer(
            storage.words,
            self.model.tokenizer(self.tokens),
            arguments.check_strings(abbreviations, "abbreviations"),
            storage.splitter,
            join_hyphens,
            storage.word_splitter,
            storage.finder,
            None if self._rules is None else self._rules.exceptions(),
        )
        self._prepare_choices(names, run)
        self._prepare(names)

    def _maps_much(self) -> bool:
        """Return whether the tables take so much memory that pages are released.

        The pages of a mapped table stay in memory once they have been read. After much
        text, the whole table is in memory.
        """
        n_bytes = sum(
            table.nbytes
            for network in self._networks.values()
            for table in network.tables
            if isinstance(table, np.ndarray)
        )
        return n_bytes > _MAPPED_BYTES

    def _prepare_choices(self, names: Sequence[str], run: Sequence[str]) -> None:
        """Prepare what changes the answers of networks so that they agree.

        Args:
            names: The names of the networks.
            run: The tasks that run.
        """
        storage = self.model.storage
        self._arc_rules = self.model.dependency_rules() if ARCS in names else None
        self._relations_of = self._find_relations()
        # No network reads the labels that agree with the tree, but lemmas may.
        reads_feats = FEATS in run or self.model.lemmas == FEATS
        self._agreement = self.model.agreement(names) if reads_feats else None
        self._chooser = self._find_chooser(run)
        # The labels are chosen after the last of these networks has run.
        self._chooser_last = ""
        if self._chooser is not None:
            self._chooser_last = max(self._chooser.tasks, key=names.index)
        self._mark_rule = None
        if UPOS in names:
            unknown = self.tokenizer.unknown
            self._mark_rule = mark_rule(UPOS, storage.labels(UPOS).names, unknown)
        self._corrections = find_corrections(
            storage,
            names,
            self.tasks,
            self.model.feature_rules() if FEATS in names else None,
            self._mark_rule,
        )

    def _prepare(self, names: Sequence[str]) -> None:
        """Prepare what is done with the labels of networks, given their names."""
        storage = self.model.storage
        if self._makes_lemmas:
            self._lemma_tags = self.model.lemmas
            self._lemmas: Any = storage.resource("lemmas", self._lemma_tags)
        if self.predicates == VERBS and ROLES in names:
            self._no_verb = storage.labels(VERBS).position(NO_PREDICATE)
        if self.predicates == POS and ROLES in names:
            keys = storage.labels(POS).keys()
            self._is_verb = np.array([key.startswith("V") for key in keys])
        self._rule_set = None
        if self._rules is not None:
            known = (*names, LEMMA) if self._makes_lemmas else names
            self._rule_set = self._rules.rule_set(known, self.tokenizer)

    def _find_rules(self, rules: RulesArgument) -> TaggerRules | None:
        """Return the rules of the caller and of the model, or None without any.

        Raises:
            SennaError: If a file cannot be read, or does not suit the model.
            TypeError: If `rules` are not files.
        """
        stored = self.model.rules()
        if rules is None and stored is None:
            return None
        from senna_py.rules.of_tagger import (  # noqa: PLC0415 - few taggers have rules
            TaggerRules,
            rules_of_argument,
        )

        passed = rules_of_argument(rules)
        return TaggerRules(passed, stored, self.model.known_labels())

    def variant(self, tasks: Iterable[str], with_scores: bool, tokens: str) -> Tagger:
        """Return a tagger that differs from this one only in these options.

        Args:
            tasks: The names of its tasks.
            with_scores: Whether it finds probabilities.
            tokens: The standard by which it splits text.

        Raises:
            SennaError: If the model lacks a task or the standard.
        """
        passed = None if self._rules is None else self._rules.passed
        tagger = Tagger(
            self.model,
            tasks,
            self.predicates,
            with_scores,
            self.tokenizer.abbreviations,
            self.jobs,
            self.tokenizer.join_hyphens,
            tokens,
            passed,
        )
        tagger._longest = self._longest
        return tagger

    def add_rules(self, rules: RulesArgument) -> Tagger:
        """Return a tagger that also applies rules; this one does not change.

        Args:
            rules: A file of rules, or several. Where they and earlier rules disagree,
                they count.

        Raises:
            SennaError: If a file cannot be read, or does not suit the model.
        """
        from senna_py.rules.of_tagger import rules_of_argument  # noqa: PLC0415

        passed = () if self._rules is None else self._rules.passed
        make, arguments, state = self.__reduce__()
        tagger: Tagger = make(*arguments[:-1], (*rules_of_argument(rules), *passed))
        vars(tagger).update(state)
        return tagger

    def _default_tasks(self) -> tuple[str, ...]:
        """Return the default tasks of the model; raise SennaError if there are none."""
        if tasks := self.model.default_tasks(self.predicates):
            return tasks
        networks = self.model.storage.networks
        needs = self.model.networks_for(list(networks), self.predicates)
        lacks = ", ".join(name for name in needs if name not in networks)
        raise SennaError(
            f"{self.model.path}: no task is complete; the model has "
            f"{', '.join(networks)}" + (f", but needs {lacks}" if lacks else "")
        )

    def _constraints_of(self, name: str) -> Constraints | None:
        """Return the constraints on the labels of a network, or None.

        Networks that fit SENNA's format have none, because they decode as SENNA does.
        `pt0` has none either, because its phrases may contain only one mark of a pair.
        """
        make = _AUTOMATA.get(name)
        if make is None or not self._networks[name].beyond_senna:
            return None
        automata = make(self.labels(name).keys())
        return Constraints(automata) if automata else None

    def _find_relations(self) -> NDArray[np.bool_] | None:
        """Return which relations the words of each part of speech may have, or None."""
        if self._arc_rules is None or UPOS not in self._networks:
            return None
        return self._arc_rules.allowed(self.labels(UPOS).names)

    def _find_chooser(self, tasks: Iterable[str]) -> CombinationChooser | None:
        """Return the chooser of combinations of labels, or None if it is not needed."""
        combinations = self.model.chosen_together
        if combinations is None or {*tasks}.isdisjoint(combinations.tasks):
            return None
        names = [self.labels(name).names for name in combinations.tasks]
        return CombinationChooser(combinations, names)

    def _row_classes(
        self, name: str, words: WordBatch, batch: Batch
    ) -> NDArray[np.int8] | None:
        """Return the class of each row for a network's constraints, int8[n_rows].

        For roles, it is None if the batch has no POS tags.
        """
        if name == POS:
            properties = batch.of_forms(POS, self._properties).of_tokens()
            return word_classes(batch.tokens, properties[:, 0])
        if words.predicate is None:
            return batch.once("pairs", lambda batch: pair_classes(batch.tokens))
        tagged = POS in batch.layers
        return role_classes(words, batch, self.labels(POS).keys()) if tagged else None

    def _find_trunks(self) -> dict[str, tuple[Trunk, Any]]:
        """Return each network's trunk and the cache of the trunk's first layer."""
        assemblies = self._assemblies
        trunks = trunks_of(
            self._networks, lambda a, b: assemblies[a].same_input(assemblies[b])
        )
        row_bytes = sum(trunk.deepest.row_bytes for trunk in trunks)
        n_bytes = _SMALL_CACHE_BYTES if self._context == Context.PAIRS else _CACHE_BYTES
        # Without tasks there is no network.
        self._n_cached = n_bytes // max(row_bytes, 1)
        caches = [trunk.deepest.cache(self._n_cached) for trunk in trunks]
        return {
            name: (trunk, cache)
            for trunk, cache in zip(trunks, caches, strict=True)
            for name in trunk.networks
        }

    def _find_inputs(
        self,
    ) -> tuple[dict[str, Callable[[Batch], Any]], FormTable]:
        """Return what computes the input of each network, and the table of forms."""
        inputs: dict[str, Any] = {}
        values: dict[Hashable, FormValue] = {}
        if self._constraints.get(POS) is not None:
            values[POS] = self._properties
        for name, (trunk, cache) in self._trunks.items():
            first, assembly = next(iter(trunk.networks)), self._assemblies[name]
            values |= assembly.values
            if name != first:
                inputs[name] = inputs[first]
            elif FormInputs.suit(assembly, trunk.deepest):
                inputs[name] = form_inputs = FormInputs(assembly, trunk.deepest, cache)
                values[form_inputs.sums] = form_inputs.sums.value
            else:
                inputs[name] = assembly
        return inputs, FormTable(values, min(self._n_cached, _MOST_FORMS))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling by the path of the model and the options.

        Unpickling reads the model again.
        """
        abbreviations, joins = self.tokenizer.abbreviations, self.tokenizer.join_hyphens
        options = (
            self.tasks,
            self.predicates,
            self.with_scores,
            abbreviations,
            self.jobs,
            joins,
            self.tokens,
            None if self._rules is None else self._rules.passed,
        )
        return Tagger, (self.model, *options), {"_longest": self._longest}

    def __repr__(self) -> str:
        return f"Tagger({str(self.model.path)!r}, tasks={self.tasks})"

    def labels(self, task: str) -> Vocabulary:
        """Return the label vocabulary of the network for a task.

        Raises:
            UsageError: If the model has no such network. There is none for lemmas,
                which are made by rules.

        Example:
            >>> nlp.labels("vbs").names
            ('NOVB', 'VB')
        """
        networks = self.model.storage.networks
        if task not in networks:
            why = (
                "lemmas are no set of labels"
                if task == LEMMA
                else "there is no such network"
            )
            raise UsageError(
                f"no labels of {task!r}: {why}; there are {', '.join(networks)}"
            )
        return self.model.storage.labels(task)

    def task(self, name: str) -> Task:
        """Return the Task with the given name; see `labels.tasks`.

        Raises:
            UsageError: If the name is not one of `tasks`.
        """
        if name not in self._tasks:
            raise UsageError(
                f"the task {name!r} is not run; there are {', '.join(self.tasks)}"
            )
        return self._tasks[name]

    @property
    def networks(self) -> tuple[str, ...]:
        """The names of the networks, in the order in which they run."""
        return tuple(self._networks)

    @property
    def longest_sentence(self) -> int | None:
        """The maximum number of tokens in a sentence, or None if there is no limit.

        Longer sentences are cut.
        """
        longest = LONGEST_SENTENCE if self._context == Context.PAIRS else _LONGEST_LINE
        return (self._longest or longest) if self._context else None

    @property
    def limiting(self) -> list[str]:
        """The networks with the largest context, which limits `longest_sentence`."""
        return [n for n, net in self._networks.items() if net.context == self._context]

    @property
    def _context(self) -> Context:
        """The largest context of any network."""
        contexts = (network.context for network in self._networks.values())
        return max(contexts, default=Context.WINDOW)

    def cut_sentences(self, longest: int) -> None:
        """Limit the length of sentences, which saves time on unpunctuated text.

        Longer sentences are cut. This has no effect if `longest_sentence` is None.

        Args:
            longest: The new `longest_sentence`, from 1 to LONGEST_SENTENCE.

        Raises:
            ValueError: If the length is outside this range.
        """
        if not 1 <= longest <= LONGEST_SENTENCE:
            raise ValueError(
                f"sentences of 1 to {LONGEST_SENTENCE:,} tokens, not {longest}"
            )
        self._longest = longest

    def annotate(
        self,
        tokens: Tokens,
        is_predicate: NDArray[np.bool_] | None = None,
        uncertain: Iterable[str] = (),
    ) -> Annotations:
        """Run the networks over a batch.

        Sentences longer than `longest_sentence` are cut first: the tokens of the result
        have more, shorter sentences.

        Args:
            tokens: The tokens of the batch.
            is_predicate: bool[n_tokens], whether each token is a predicate; needed for
                roles if `predicates` is "given". None means that the tagger finds them.
            uncertain: The networks whose layers should have a row for each likely
                label, with its probability. No other network may read their labels.

        Raises:
            SennaError: If scores overflow, or predicates are missing.
            TypeError: If `tokens` is not a Tokens.
        """
        if not isinstance(tokens, Tokens):
            raise TypeError(
                f"annotate takes Tokens, not {type(tokens).__name__}: use nlp(text)"
            )
        if self.longest_sentence:
            tokens = tokens.cut(self.longest_sentence)
        words = tokens.with_forms()
        if len(words) <= _WORDS_AT_ONCE or {*uncertain}:
            layers = self._run(words, is_predicate, {*uncertain})
        else:
            layers = self._run_by_parts(words, is_predicate)
        if self._makes_lemmas:
            layers[LEMMA] = self._find_lemmas(words, layers)
        # Likely labels with their probabilities are what the network predicts.
        if self._rule_set is not None and not {*uncertain}:
            layers = self._rule_set.apply(words, layers)
        return Annotations(tokens, layers, self.tasks)

    def _run_by_parts(
        self, tokens: Tokens, is_predicate: NDArray[np.bool_] | None
    ) -> dict[str, Layer]:
        """Run the networks over a large batch in pieces, to limit memory for states."""
        parts, n_words = [], list[int]()
        for part in tokens.parts(_WORDS_AT_ONCE):
            begin = sum(n_words)
            n_words.append(len(part))
            marks = is_predicate
            if marks is not None:
                marks = marks[begin : begin + len(part)]
            parts.append(self._run(part, marks, set()))
        return {
            name: concatenate([layers[name] for layers in parts], n_words)
            for name in parts[0]
        }

    def _run(
        self,
        tokens: Tokens,
        is_predicate: NDArray[np.bool_] | None,
        uncertain: set[str],
    ) -> dict[str, Layer]:
        """Return the layer of each network by name.

        The layers of uncertain networks have a row for each likely label.
        """
        layers = dict[str, Layer]()
        batch = Batch(tokens, layers, values=self._forms.find(tokens))
        for name, network in self._networks.items():
            words, cache = self._words(name, batch)
            task, names = self._network_tasks[name], self.labels(name).names
            if network.labels == "roles":
                if is_predicate is None:
                    is_predicate = self._find_predicates(layers)
                words = words.of_predicates(np.flatnonzero(is_predicate))
            words.constraints = self._constraints.get(name)
            if words.constraints is not None:
                words.row_classes = self._row_classes(name, words, batch)
            words.permitted = self._permitted(name, layers, uncertain)
            words.pool = self._pool(name, batch)
            if name == ARCS:
                words.arc_rules = self._arc_rules
            if name in uncertain:
                layer = network.likely(words, task, names, cache)
            else:
                scored = self.with_scores and name in self.tasks
                layer = network.annotate(words, task, names, cache, scored)
                # The rules of features need one part of speech for each token.
                by_rules = name != FEATS or UPOS not in uncertain
                for correct in self._corrections[name] if by_rules else ():
                    layer = correct(layer, batch)
            layers[name] = layer
            self._check_certainty(name, layer)
            if self._chooser is not None and name == self._chooser_last:
                layers.update(self._choose_together(batch, layers, uncertain))
            if self._releases:
                for table in network.tables:
                    release_pages(table)
        if self._agreement is not None and not uncertain:
            layers[FEATS] = agreeing(self._agreement, layers, tokens)
        return layers

    def _choose_together(
        self, batch: Batch, layers: Mapping[str, Layer], uncertain: set[str]
    ) -> dict[str, Layer]:
        """Return layers with labels that were replaced by a likely combination.

        If a layer of the combination has a row for each likely label, nothing changes,
        and the result is empty.
        """
        chooser = self._chooser
        if chooser is None or not uncertain.isdisjoint(chooser.tasks):
            return {}

        def scores_of(name: str, rows: NDArray[np.int64]) -> NDArray[np.float32]:
            words, cache = self._words(name, batch)
            return scores_of_words(self._networks[name], words, rows, cache)

        decided = {}
        if self._mark_rule is not None and UPOS in chooser.tasks:
            label = layers[UPOS].label
            decided[UPOS] = self._mark_rule.decided(label, batch.tokens)
        return chooser.apply(layers, scores_of, decided)

    def _pool(
        self, name: str, batch: Batch
    ) -> Callable[[NDArray[np.float32]], None] | None:
        """Return what pools the scores of a network, or None; see `WordBatch.pool`."""
        pooling = self._pooling.get(name)
        if pooling is None:
            return None
        names = batch.once("repeated names", RepeatedNames.of_batch)
        return None if names is None else partial(pooling.apply, names=names)

    def _permitted(
        self, name: str, layers: Mapping[str, Layer], uncertain: set[str]
    ) -> tuple[NDArray[np.bool_], NDArray[np.int32]] | None:
        """Return the relations that universal parts of speech permit; see WordBatch.

        The result is None if they do not restrict the labels of the network here.
        """
        table = self._relations_of
        if name != ARCS or UPOS in uncertain or table is None:
            return None
        return table, layers[UPOS].label

    def _find_lemmas(self, tokens: Tokens, layers: Mapping[str, Layer]) -> Layer:
        tags = layers[self._lemma_tags]
        is_auxiliary = None
        if UPOS in layers and AUXILIARY in layers[UPOS].names:
            is_auxiliary = layers[UPOS].label == layers[UPOS].names.index(AUXILIARY)
        return lemmas_of(tokens, self._lemmas, tags.label, tags.names, is_auxiliary)

    def _check_certainty(self, name: str, layer: Layer) -> None:
        """Raise SennaError if a probability is not finite, as after an overflow."""
        certainty = layer.certainty()
        if certainty is not None and not np.isfinite(certainty).all():
            raise SennaError(
                f"{self.model.path}: network {name}: numbers so large that they overflow: it "
                "gives no probabilities"
            )

    def _words(self, name: str, batch: Batch) -> tuple[WordBatch, Any]:
        """Return the input of a network, and the cache of its trunk's first layer.

        If networks share the trunk, it runs once per batch, and the input has its
        states.
        """
        trunk, cache = self._trunks[name]
        features = batch.once(("input", id(trunk)), self._inputs[name])
        words = WordBatch(features, batch.tokens.starts)
        states = batch.once(
            ("states", id(trunk)), lambda _: trunk.shared_states(words, cache)
        )
        words.states = states.get(name)
        return words, cache

    def _find_predicates(self, layers: Mapping[str, Layer]) -> NDArray[np.bool_]:
        if self.predicates == "given":
            raise UsageError(
                "this tagger takes its predicates from the caller; none were given"
            )
        if self.predicates == POS:
            is_verb: NDArray[np.bool_] = self._is_verb[layers[POS].label]
            return is_verb
        return layers[VERBS].label != self._no_verb

    def __call__(
        self, sentence: str | Iterable[str], *, predicates: Iterable[int] | None = None
    ) -> Sentence:
        """Tag one sentence.

        Args:
            sentence: The text of the sentence, or its tokens.
            predicates: The token indices of its predicates, for a tagger that was
                loaded with `predicates="given"`. By default, there are none.

        Raises:
            SennaError: If an index is out of range, a token is empty, the tokens look
                like sentences, or the tagger finds its predicates itself.
            TypeError: If the sentence is neither a str nor an iterable of str, or an
                index is not an integer.

        Example:
            >>> nlp("She left.").tags["pos"]
            ('PRP', 'VBD', '.')
        """
        if predicates is not None and self.predicates != "given":
            raise UsageError(
                'predicates are taken by a tagger with predicates="given" only'
            )
        places = () if predicates is None else predicates
        return tag_sentences(self, [arguments.check_sentence(sentence)], places)[0]

    def document(
        self,
        text: str | Sequence[str] | Sequence[Sequence[str]] | None = None,
        *,
        paragraphs: bool = False,
        tokens: Iterable[str] | Iterable[Iterable[str]] | None = None,
        spaces: Iterable[bool] | Iterable[Sequence[bool]] | None = None,
        sentences: Iterable[int] | None = None,
    ) -> Document:
        """Split running text into sentences and tag them, or tag a document's tokens.

        Args:
            text: The text. Each line is a paragraph. A list is taken as `tokens`.
            paragraphs: Whether a paragraph extends over several lines, up to an empty
                one. Quoted lines (`>`) and signatures (`--`) are not joined.
            tokens: The tokens of a document without a text, in one list or in a list
                for each sentence.
            spaces: Whether a space follows each of `tokens`. By default, all but the
                last are followed by one.
            sentences: The index of the first token of each sentence, for `tokens` in
                one list. By default, the sentences are found.

        Raises:
            TypeError: If an argument is of the wrong type.
            SennaError: If a token is blank, or the arguments do not agree.

        Example:
            >>> doc = nlp.document("Angela Merkel visited Berlin. She gave a speech.")
            >>> [sentence.text for sentence in doc.sentences]
            ['Angela Merkel visited Berlin.', 'She gave a speech.']
        """
        if isinstance(text, list | tuple) and tokens is None:
            text, tokens = None, text
        if tokens is None:
            if spaces is not None or sentences is not None:
                raise UsageError("spaces and sentences can be used only with tokens")
            return tag_documents(self, [arguments.check_document(text)], paragraphs)[0]
        if text is not None or paragraphs:
            other = "paragraphs" if text is None else "a text"
            raise UsageError(f"{other} and tokens exclude each other")
        return tag_own_tokens(self, own_tokens(tokens, spaces, sentences))

    @overload
    def pipe(
        self,
        iterable: Iterable[str | Iterable[str]],
        batch_size: int = ...,
        *,
        documents: Literal[False] = ...,
        as_tuples: Literal[False] = ...,
    ) -> Iterator[Sentence]: ...

    @overload
    def pipe(
        self,
        iterable: Iterable[str],
        batch_size: int = ...,
        *,
        documents: Literal[True],
        paragraphs: bool = ...,
        as_tuples: Literal[False] = ...,
    ) -> Iterator[Document]: ...

    @overload
    def pipe(
        self,
        iterable: Iterable[tuple[str | Iterable[str], _Rest]],
        batch_size: int = ...,
        *,
        documents: Literal[False] = ...,
        as_tuples: Literal[True],
    ) -> Iterator[tuple[Sentence, _Rest]]: ...

    @overload
    def pipe(
        self,
        iterable: Iterable[tuple[str, _Rest]],
        batch_size: int = ...,
        *,
        documents: Literal[True],
        paragraphs: bool = ...,
        as_tuples: Literal[True],
    ) -> Iterator[tuple[Document, _Rest]]: ...

    @with_advice
    def pipe(
        self,
        iterable: Iterable[Any],
        batch_size: int = 1000,
        *,
        documents: bool = False,
        paragraphs: bool = False,
        as_tuples: bool = False,
    ) -> Iterator[Any]:
        """Tag many sentences or documents, and yield the results in order.

        Args:
            iterable: Sentences, each a str or an iterable of tokens; see also
                `documents` and `as_tuples`.
            batch_size: The maximum number of items that are tagged together. A batch
                also ends when it has 64 KB of text.
            documents: Whether the items are running text. A Document is yielded for
                each, instead of a Sentence.
            paragraphs: Whether a paragraph of a document extends over several lines;
                see `document`.
            as_tuples: Whether the items are pairs of a text and any object. Each result
                is then paired with the object of its text.

        Raises:
            SennaError, TypeError: For an unusable item, or one of the wrong type, after
                the results of the items before it. The message states its position,
                counted from 0.
            TypeError: Immediately, if `iterable` is a single text or not an iterable of
                items.
            UsageError: For `paragraphs` without `documents`.

        Example:
            >>> texts = ["Anna lives in Rome. She works there.", "It rained."]
            >>> [len(each.sentences) for each in nlp.pipe(texts, documents=True)]
            [2, 1]
        """
        arguments.check_number(batch_size, "batch_size")
        if paragraphs and not documents:
            raise UsageError("paragraphs=True can be used only with documents=True")
        batches = arguments.check_batches(iterable, batch_size, documents, as_tuples)
        return tag_stream(self, batches, documents, paragraphs, as_tuples)

    def learn(
        self,
        examples: Any,
        directory: str | PathLike[str] | None = None,
        *,
        task: str = "ner",
        dev: Any = None,
        checks: Iterable[str | PathLike[str]] = (),
        text: Iterable[str | PathLike[str]] = (),
        rename: Mapping[str, str] | None = None,
        curve: bool | None = None,
        settings: Iterable[str] = (),
        seed: int = 1,
        say: Callable[[str], object] = print,
    ) -> Tagger:
        """Teach the model from annotated texts, and return a tagger with the new model.

        This tagger and its model stay as they are. See `senna-py learn`, which does the
        same, for what is printed.

        Args:
            examples: Pairs of a text and its spans, such as `("Mary left.", [(0, 4,
                "PER")])`, documents, or paths of files with annotations; or a single
                path.
            directory: The directory to which the new model is written, and from which
                an interrupted call with the same arguments resumes. By default, the
                model is deleted when the program ends.
            task: The task that learns. A name that the model lacks makes a new task.
            dev: Examples to score on. The default is some of the texts, or a
                cross-validation if there are too few.
            checks: Files with annotations, on which the model is scored before and
                after, to see what it forgets.
            text: Files of text like the text that the model should not forget.
            rename: The new names of labels of the annotations.
            curve: Whether to learn from a quarter and from half of the texts, too. The
                default is to do so if it takes less time than the rest.
            settings: Settings of the training, such as `training.epochs=20`.
            seed: The random seed.
            say: A callback for lines of text for the user.

        Raises:
            UsageError: If an example has the wrong form, or a setting is invalid.
            SennaError: If there is nothing to learn, or a file cannot be read.
        """
        # Training imports the tagger, so it cannot be imported here.
        teach = importlib.import_module("senna_py.learning.teach")
        return teach.learn(
            self,
            examples,
            directory,
            say,
            task=task,
            dev=dev,
            checks=checks,
            text=text,
            rename=rename,
            curve=curve,
            settings=settings,
            seed=seed,
        )

    def search(
        self, texts: Iterable[str], pattern: str | Pattern, *, paragraphs: bool = False
    ) -> Iterator[Match]:
        """Tag running texts, and yield the matches of a pattern in them, in order.

        The document of a match is `match.span.document`.

        Args:
            texts: The texts.
            pattern: The pattern, or its text; see the guide, under Search.
            paragraphs: Whether a paragraph extends over several lines; see `document`.

        Raises:
            PatternError: If it is not a pattern, or needs a task that is not run. The
                message says where in the pattern.
            TypeError: If `texts` is a single text, or an item is not a str.

        Example:
            >>> texts = ["Anna bought a house.", "Bob sold a car."]
            >>> [match["what"].text for match in nlp.search(texts, '[pos="V.*"] >obj what:[]')]
            ['house', 'car']
        """
        from senna_py.search.pattern import Pattern  # noqa: PLC0415 - only searches need it

        compiled = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
        compiled.check_tasks(self.tasks, "the tagger was loaded without")
        documents = self.pipe(texts, documents=True, paragraphs=paragraphs)
        return (match for each in documents for match in each.search(compiled))

"""All types of features, and all types of resources.

docs/reference/file-formats.md lists the values of each feature. Every table has the key
`PADDING` for positions outside the sentence. The table of a label also has the key
`UNAVAILABLE`, for labels that its network cannot predict.
"""

from collections.abc import Iterable
from functools import lru_cache

from senna_py.features.agreement_rules import AgreementRules
from senna_py.features.caps import Caps, SentenceCaps
from senna_py.features.combination_lists import CombinationLists
from senna_py.features.gap import Gap, UnitFeature
from senna_py.features.gazetteer import InGazetteer
from senna_py.features.label import Label, Word
from senna_py.features.lemma_lists import LemmaLists
from senna_py.features.multiword_forms import MultiwordForms
from senna_py.features.protocol import Feature, ResourceType
from senna_py.features.rule_ends import RuleEnds
from senna_py.features.rule_lists import RuleLists
from senna_py.features.spans import Form, Prefix, Shape, Suffix
from senna_py.features.word_class import WordClass

_FEATURES = (
    Word,
    Caps,
    SentenceCaps,
    Suffix,
    Prefix,
    Shape,
    Form,
    Gap,
    RuleEnds,
    InGazetteer,
    WordClass,
    Label,  # last, because it matches any name
)

# All types of resources by `ResourceType.place`.
RESOURCES: dict[str, ResourceType] = {
    resource_type.place: resource_type
    for resource_type in (
        *(feature.resource_type for feature in _FEATURES),
        LemmaLists(),
        MultiwordForms(),
        CombinationLists(),
        AgreementRules(),
        RuleLists(),
    )
    if resource_type is not None
}


@lru_cache(maxsize=1024)
def find_feature(name: str) -> Feature:
    """Return the feature `name`; it is a label if no other type of feature matches.

    Raises:
        SennaError: If the name has the prefix of a type of feature but is malformed.
    """
    features = (feature_type.parse(name) for feature_type in _FEATURES)
    return next(feature for feature in features if feature is not None)


def describes_units(feature: Feature) -> bool:
    """Return whether a learned tokenizer can have a feature."""
    depends_on_form = feature.of_form and feature.own_table
    return depends_on_form or isinstance(feature, UnitFeature)


def networks_read(names: Iterable[str]) -> list[str]:
    """Return the names of the features whose values are labels that networks predict.

    Raises:
        SennaError: If a name is malformed.
    """
    features = map(find_feature, names)
    return [feature.name for feature in features if not feature.of_tokens]

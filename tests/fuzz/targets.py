"""All targets of fuzzing, in the order in which the long run takes them."""

from tests.fuzz.of_checkpoints import Checkpoints
from tests.fuzz.of_files import (
    ColumnFiles,
    Configurations,
    Lists,
    PredicateFiles,
    Scored,
    TreeFiles,
    Vectors,
)
from tests.fuzz.of_models import ArpaFiles, LanguageModels, NativeModels, SennaDirectories
from tests.fuzz.of_parts import Corpora, JsonLines, Requests, Tables
from tests.fuzz.of_text import Documents, Texts

TARGETS = (
    NativeModels(), SennaDirectories(), LanguageModels(), ArpaFiles(), Checkpoints(), Vectors(),
    Lists(), ColumnFiles(), Scored(), TreeFiles(), PredicateFiles(), Configurations(),
    Texts(), Documents(), Requests(), Corpora(), JsonLines(), Tables(),
)  # fmt: skip

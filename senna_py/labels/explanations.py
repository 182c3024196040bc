"""What labels mean: of words, phrases, chunks, names and values, roles, dependencies, features.

Relations, their subtypes and features are those of Universal Dependencies.
"""

from __future__ import annotations

from senna_py.errors import UsageError

_MEANINGS = dict(
    line.split(maxsplit=1)
    for line in """
O outside of all segments
CC conjunction, coordinating
CD number
DT determiner
EX existential "there"
FW foreign word
IN preposition, or subordinating conjunction
JJ adjective
JJR adjective, comparative
JJS adjective, superlative
LS mark of an item of a list
MD modal verb
NN noun, singular or mass
NNS noun, plural
NNP proper name, singular
NNPS proper name, plural
PDT predeterminer, such as "all" in "all the"
POS possessive ending, such as "'s"
PRP personal pronoun
PRP$ possessive pronoun
RB adverb
RBR adverb, comparative
RBS adverb, superlative
RP particle
SYM symbol
TO "to"
UH interjection
VB verb, base form
VBD verb, past tense
VBG verb, present participle or gerund
VBN verb, past participle
VBP verb, present tense, not third person singular
VBZ verb, present tense, third person singular
WDT determiner that asks or relates, such as "which"
WP pronoun that asks or relates, such as "who"
WP$ possessive pronoun that asks or relates: "whose"
WRB adverb that asks or relates, such as "when"
$ currency
, comma
. end of a sentence
: colon, semicolon, dash or dots
`` opening quote
'' closing quote
-LRB- opening round bracket
-RRB- closing round bracket
-LSB- opening square bracket
-RSB- closing square bracket
( opening round bracket
) closing round bracket
HYPH hyphen
AFX affix that stands apart
ADD address of mail or web, name of an account, or tag
GW part of a word that is written apart
NFP punctuation without a function, such as ornaments and emoticons
CODE markup
XX word that cannot be analyzed
SU label of a few tokens of the treebank that has no description
# pound sign
ADJP adjective phrase
ADVP adverb phrase
CONJP conjunction of several words
EDITED repair of speech: words that the speaker takes back
FRAG fragment of a sentence
INTJ interjection
LST mark of an item of a list
META note of who transcribed or edited the text
NAC noun phrase part that is no constituent, such as a place within a name
NML modifier of several nouns, inside a noun phrase
NP noun phrase
NX head of a noun phrase that shares its modifiers
PP prepositional phrase; as a chunk, the preposition alone
PRN parenthesis
PRT particle
QP quantity of several words
RRC relative clause without a relative pronoun and a finite verb
S clause
S1 root of a tree
TOP root of a tree
SBAR clause with a subordinating word; as a chunk, that word alone
SBARQ question with a question word
SINV clause whose subject follows its verb
SQ yes-no question, or the main clause of a question
UCP coordination of unlike phrases
VP verb phrase; as a chunk, the verbs alone
WHADJP adjective phrase with a question word
WHADVP adverb phrase with a question word
WHNP noun phrase with a question or relative word
WHPP prepositional phrase with a question or relative word
X word or phrase of unknown kind
PER person
LOC place
ORG organization
MISC name of another kind
CARDINAL number of things
DATE date, or period of a day and longer
MONEY amount of money
ORDINAL place in an order, such as "third"
PERCENT percentage
QUANTITY measure, such as a weight or a distance
TIME time of day, or period shorter than a day
ADJ adjective
ADP preposition
ADV adverb
AUX auxiliary
CCONJ conjunction, coordinating
DET determiner
NOUN noun
NUM number
PART particle, such as "not" and "to"
PRON pronoun
PROPN proper name
PUNCT punctuation
SCONJ conjunction, subordinating
VERB verb
_ none
NOVB no predicate
V predicate
A0 who acts (PropBank's ARG0: agent, cause)
A1 what is acted on (PropBank's ARG1: patient, theme)
A1-DSP direct speech, as what is said
A2 third argument: depends on the predicate; often a receiver, instrument or attribute
A3 fourth argument: depends on the predicate; often a start, receiver or instrument
A4 fifth argument: depends on the predicate; often an end
A5 sixth argument: depends on the predicate
AA causer of an action
AM-ADJ modifier of a noun that is a predicate
AM-ADV adverbial of another kind
AM-CAU cause
AM-COM company: together with whom
AM-CXN second part of a construction, such as "than ..." or "as ..."
AM-DIR direction
AM-DIS discourse: a word that connects sentences or addresses someone
AM-EXT extent: how much
AM-GOL goal: where to, or for whom
AM-LOC place
AM-LVB light verb, such as "take" in "take a walk"
AM-MNR manner
AM-MOD modal verb
AM-NEG negation
AM-PNC purpose
AM-PRD secondary predicate: what a participant is, or becomes
AM-PRP purpose
AM-PRR noun that a light verb stands with, such as "walk" in "take a walk"
AM-REC reciprocal, such as "each other"
AM-TMP time
acl clause that modifies a noun
advcl clause that modifies a verb or an adjective
advmod adverb, as a modifier
amod adjective that modifies a noun
appos noun that names the same thing again
aux auxiliary
case preposition or case marker of a noun
cc conjunction of a coordination
ccomp clause as a complement, with a subject of its own
clf classifier, beside a number
compound part of a compound
conj further part of a coordination
cop copula: the "is" of "is old"
csubj clause as a subject
dep dependency of unknown kind
det determiner
discourse interjection or discourse particle
dislocated part that stands outside of its clause, which has it a second time
expl expletive: "it" or "there" without a meaning of its own
fixed further word of a fixed expression, such as "as well as"
flat further word of a name or date, which has no head
goeswith further part of a word that is written apart
iobj indirect object
list further item of a list
mark word that subordinates a clause, such as "that" or "if"
nmod noun that modifies a noun
nsubj subject
nummod number that modifies a noun
obj direct object
obl noun that depends on a verb or adjective as an adjunct, as after a preposition
orphan dependent of a word that was left out
parataxis part of a sentence beside another, without a conjunction
punct punctuation
reparandum words that the speaker takes back
root root of the sentence
vocative who is addressed
xcomp clause as a complement, whose subject is that of another word
""".strip().split("\n")
)
# Of relations, behind a colon.
_SUBTYPES = dict(
    line.split(maxsplit=1)
    for line in """
agent who acts, of a passive
arg argument, not an adjunct
caus of a causative
cleft in a cleft sentence
comp argument
desc title or description
emph that emphasizes
foreign in another language
impers of an impersonal verb
lmod of place
lvc of a light verb
mod adjunct
name of a name
npmod noun phrase without a preposition
outer of the outer one of two nested clauses
pass of a passive
poss possessor
preconj before the first part of a coordination
predet before another determiner
prt particle of a verb
pv of a verb that needs it
redup reduplication
relcl relative clause
subj subject
tense of a tense
tmod of time
unmarked without a preposition
""".strip().split("\n")
)
# Universal features, which the evaluation of Universal Dependencies compares, and their values.
FEATURES = {
    name: (said, dict(value.split(maxsplit=1) for value in values))
    for name, said, *values in (
        line.split("; ")
        for line in """
Abbr; abbreviation; Yes yes
Animacy; animacy; Anim animate; Hum human; Inan inanimate; Nhum not human
Aspect; aspect; Hab habitual; Imp imperfect; Iter iterative; Perf perfect; Prog progressive; Prosp prospective
Case; case; Abl ablative; Acc accusative; Dat dative; Equ equative; Gen genitive; Ins instrumental; Loc locative; Nom nominative; Par partitive; Voc vocative
Definite; definiteness; Com complex; Cons construct state; Def definite; Ind indefinite; Spec specific indefinite
Degree; degree; Abs absolute superlative; Aug augmentative; Cmp comparative; Dim diminutive; Equ equative; Pos positive; Sup superlative
Evident; evidence; Fh firsthand; Nfh not firsthand
Foreign; foreign word; Yes yes
Gender; gender; Com common; Fem feminine; Masc masculine; Neut neuter
Mood; mood; Cnd conditional; Des desiderative; Gen generic; Imp imperative; Ind indicative; Jus jussive; Nec necessitative; Opt optative; Pot potential; Sub subjunctive
NumType; kind of number; Card cardinal; Dist distributive; Frac fraction; Mult multiplicative; Ord ordinal; Range range
Number; number; Coll collective; Dual dual; Plur plural; Ptan plurale tantum; Sing singular
Person; person; 0 zero; 1 first; 2 second; 3 third; 4 fourth
Polarity; polarity; Neg negative; Pos positive
Polite; politeness; Elev raises the referent; Form formal; Humb humbles the speaker; Infm informal
Poss; possessive; Yes yes
PronType; kind of pronoun; Art article; Dem demonstrative; Emp emphatic; Exc exclamative; Ind indefinite; Int interrogative; Neg negative; Prs personal; Rcp reciprocal; Rel relative; Tot total
Reflex; reflexive; Yes yes
Tense; tense; Fut future; Imp imperfect; Past past; Pqp pluperfect; Pres present
VerbForm; form of a verb; Conv converb; Fin finite; Gdv gerundive; Ger gerund; Inf infinitive; Part participle; Sup supine; Vnoun verbal noun
Voice; voice; Act active; Cau causative; Mid middle; Pass passive; Rcp reciprocal
""".strip().split("\n")  # noqa: E501 - a line a feature
    )
}
_OWNERS = {"psor": "of the possessor", "psed": "of what is possessed"}  # Number[psor]
# What stands before a label and a hyphen.
_PREFIXES = {
    "B": "first token of",
    "I": "inner token of",
    "E": "last token of",
    "S": "only token of",
    "C": "another part of",
    "R": "relative word that stands for",
}


def explain(label: str) -> str:
    """What a label means, also with a prefix (`B-NP`), of phrases (`S(VP`) or features (`A=B|C=D`).

    Raises:
        UsageError: If the label is not known.
    """
    if not isinstance(label, str):
        raise TypeError(f"a label is a str, not {type(label).__name__}")
    if label in _MEANINGS:
        return _MEANINGS[label]
    if "=" in label:  # features of Universal Dependencies
        return ", ".join(map(_feature, label.split("|")))
    relation, _, subtype = label.partition(":")
    if relation.islower() and subtype and relation in _MEANINGS:
        return f"{_MEANINGS[relation]}: {_SUBTYPES.get(subtype, subtype)}"
    prefix, _, rest = label.partition("-")
    if prefix in _PREFIXES and rest:
        return f"{_PREFIXES[prefix]}: {explain(rest)}"
    phrases = [part for part in label.split("(") if part]
    if phrases and phrases != [label]:
        return ", over ".join(map(explain, phrases))
    known = label.upper() if label.upper() in _MEANINGS else None
    raise UsageError(f"no such label: {label!r}{f'; did you mean {known}?' if known else ''}")


def _feature(pair: str) -> str:
    """What a feature means; one that is not known is given as it is."""
    name, _, given = pair.partition("=")
    name, _, layer = name.partition("[")
    said, values = FEATURES.get(name, (name, {}))
    owner = f" {_OWNERS.get(layer[:-1], layer[:-1])}" if layer else ""
    return f"{said}{owner}: {', '.join(values.get(value, value) for value in given.split(','))}"

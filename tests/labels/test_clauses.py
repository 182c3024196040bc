"""Clauses of dependency trees: who did what, by hand-made parses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.labels.clauses import WHERE, ParsedSentence, find_clauses

# Each word has its lemma, part of speech, some features, head and relation.
CASES = {
    "relative_clause": (
        """
    Ann Ann PROPN _ 10 nsubj
    , , PUNCT _ 4 punct
    who who PRON PronType=Rel 4 nsubj
    lives live VERB VerbForm=Fin 1 acl:relcl
    in in ADP _ 6 case
    Rome Rome PROPN _ 4 obl
    , , PUNCT _ 1 punct
    did do AUX Tense=Past|VerbForm=Fin 10 aux
    not not PART Polarity=Neg 10 advmod
    give give VERB VerbForm=Inf 0 root
    Bob Bob PROPN _ 10 iobj
    the the DET _ 14 det
    old old ADJ _ 14 amod
    book book NOUN _ 10 obj
    on on ADP _ 16 case
    Monday Monday PROPN _ 10 obl
    . . PUNCT _ 10 punct
    """,
        [
            "Ann | live | - | where: in Rome",
            "Ann | not give | the old book | to: Bob | when: on Monday",
        ],
    ),
    "passive": (
        """
    The the DET _ 2 det
    car car NOUN _ 4 nsubj:pass
    was be AUX Tense=Past|VerbForm=Fin 4 aux:pass
    stolen steal VERB Tense=Past|VerbForm=Part 0 root
    by by ADP _ 7 case
    two two NUM _ 7 nummod
    men man NOUN _ 4 obl:agent
    and and CCONJ _ 9 cc
    sold sell VERB Tense=Past|VerbForm=Part 4 conj
    . . PUNCT _ 4 punct
    """,
        ["two men | steal | The car | passive", "- | sell | The car | passive"],
    ),
    "duty": (
        """
    We we PRON _ 4 nsubj
    shall shall AUX VerbForm=Fin 4 aux
    not not PART Polarity=Neg 4 advmod
    copy copy VERB VerbForm=Inf 0 root
    , , PUNCT _ 6 punct
    modify modify VERB VerbForm=Inf 4 conj
    or or CCONJ _ 8 cc
    sell sell VERB VerbForm=Inf 4 conj
    it it PRON _ 4 obj
    . . PUNCT _ 4 punct
    """,
        [
            "We | not copy | it | modality: shall",
            "We | not modify | it | modality: shall",
            "We | not sell | it | modality: shall",
        ],
    ),
    "gerund_of_the_object": (
        """
    Unions union NOUN _ 2 nsubj
    accused accuse VERB Tense=Past|VerbForm=Fin 0 root
    her she PRON _ 2 obj
    of of SCONJ _ 5 mark
    hiding hide VERB VerbForm=Ger 2 advcl
    losses loss NOUN _ 5 obj
    . . PUNCT _ 2 punct
    """,
        ["Unions | accuse | her", "her | hide | losses | modality: accuse"],
    ),
    "quotation": (
        """
    " " PUNCT _ 3 punct
    I I PRON _ 3 nsubj
    left leave VERB Tense=Past|VerbForm=Fin 6 ccomp
    , , PUNCT _ 3 punct
    " " PUNCT _ 3 punct
    said say VERB Tense=Past|VerbForm=Fin 0 root
    Ann Ann PROPN _ 6 nsubj
    . . PUNCT _ 6 punct
    """,
        ["I | leave | - | modality: say", "Ann | say | I left"],
    ),
    "coordination": (
        """
    Ann Ann PROPN _ 4 nsubj
    and and CCONJ _ 3 cc
    Bob Bob PROPN _ 1 conj
    want want VERB VerbForm=Fin 0 root
    to to PART _ 6 mark
    buy buy VERB VerbForm=Inf 4 xcomp
    and and CCONJ _ 8 cc
    sell sell VERB VerbForm=Inf 6 conj
    houses house NOUN _ 6 obj
    . . PUNCT _ 4 punct
    """,
        [
            "Ann | want | to buy and sell houses",
            "Bob | want | to buy and sell houses",
            "Ann | buy | houses | modality: want",
            "Bob | buy | houses | modality: want",
            "Ann | sell | houses | modality: want",
            "Bob | sell | houses | modality: want",
        ],
    ),
    "preposition": (
        """
    He he PRON _ 2 nsubj
    depends depend VERB VerbForm=Fin 0 root
    on on ADP _ 4 case
    her she PRON _ 2 obl
    . . PUNCT _ 2 punct
    """,
        ["He | depend on | her"],
    ),
    "copula": (
        """
    Rome Rome PROPN _ 5 nsubj
    is be AUX VerbForm=Fin 5 cop
    a a DET _ 5 det
    big big ADJ _ 5 amod
    city city NOUN _ 0 root
    . . PUNCT _ 5 punct
    """,
        ["Rome | be | a big city"],
    ),
    "adverb": (
        """
    She she PRON _ 4 nsubj
    is be AUX VerbForm=Fin 4 cop
    in in ADP _ 4 case
    Rome Rome PROPN _ 0 root
    . . PUNCT _ 4 punct
    """,
        ["She | be | - | where: in Rome"],
    ),
    "reduced_relative": (
        """
    The the DET _ 2 det
    book book NOUN _ 6 nsubj:pass
    I I PRON _ 4 nsubj
    read read VERB Tense=Past|VerbForm=Fin 2 acl:relcl
    was be AUX Tense=Past|VerbForm=Fin 6 aux:pass
    given give VERB Tense=Past|VerbForm=Part 0 root
    a a DET _ 8 det
    prize prize NOUN _ 6 obj
    . . PUNCT _ 6 punct
    """,
        ["I | read | The book", "- | give | a prize | to: The book | passive"],
    ),
    "neither": (
        """
    Neither neither CCONJ _ 2 cc:preconj
    Tom Tom PROPN _ 5 nsubj
    nor nor CCONJ _ 4 cc
    Al Al PROPN _ 2 conj
    came come VERB Tense=Past|VerbForm=Fin 0 root
    . . PUNCT _ 5 punct
    """,
        ["Tom | not come | -", "Al | not come | -"],
    ),
    "condition": (
        """
    If if SCONJ _ 3 mark
    he he PRON _ 3 nsubj
    gives give VERB VerbForm=Fin 8 advcl
    up up ADP _ 3 compound:prt
    , , PUNCT _ 3 punct
    she she PRON _ 8 nsubj
    may may AUX VerbForm=Fin 8 aux
    have have VERB VerbForm=Inf 0 root
    to to PART _ 10 mark
    go go VERB VerbForm=Inf 8 xcomp
    . . PUNCT _ 8 punct
    """,
        ["he | give up | - | modality: if", "she | go | - | modality: may"],
    ),
    "imperative": (
        """
    Close close VERB Mood=Imp|VerbForm=Fin 0 root
    the the DET _ 3 det
    door door NOUN _ 1 obj
    . . PUNCT _ 1 punct
    """,
        ["- | close | the door | modality: !"],
    ),
    "told": (
        """
    Ann Ann PROPN _ 3 nsubj:pass
    was be AUX Tense=Past|VerbForm=Fin 3 aux:pass
    told tell VERB Tense=Past|VerbForm=Part 0 root
    that that SCONJ _ 6 mark
    it it PRON _ 6 nsubj
    rained rain VERB VerbForm=Fin 3 ccomp
    . . PUNCT _ 3 punct
    """,
        [
            "- | tell | that it rained | to: Ann | passive",
            "it | rain | - | modality: tell",
        ],
    ),
    "passive_of_two": (
        """
    Ann Ann PROPN _ 5 nsubj:pass
    and and CCONJ _ 3 cc
    Bob Bob PROPN _ 1 conj
    were be AUX Tense=Past|VerbForm=Fin 5 aux:pass
    hired hire VERB Tense=Past|VerbForm=Part 0 root
    . . PUNCT _ 5 punct
    """,
        ["- | hire | Ann | passive", "- | hire | Bob | passive"],
    ),
    "complement": (
        """
    They they PRON _ 2 nsubj
    had have VERB VerbForm=Fin 0 root
    the the DET _ 4 det
    car car NOUN _ 2 obj
    repaired repair VERB Tense=Past|VerbForm=Part 2 xcomp
    . . PUNCT _ 2 punct
    """,
        [
            "They | have | the car | complement: repaired",
            "- | repair | the car | passive | modality: have",
        ],
    ),
    "nobody": (
        """
    None none PRON PronType=Neg 4 nsubj
    of of ADP _ 3 case
    them they PRON _ 1 nmod
    saw see VERB VerbForm=Fin 0 root
    nothing nothing PRON PronType=Neg 4 obj
    . . PUNCT _ 4 punct
    """,
        ["them | not see | -"],
    ),
    "no": (
        """
    No no DET PronType=Neg 2 det
    ship ship NOUN _ 6 nsubj
    that that PRON PronType=Rel 4 nsubj
    leaks leak VERB VerbForm=Fin 2 acl:relcl
    is be AUX VerbForm=Fin 6 cop
    safe safe ADJ _ 0 root
    . . PUNCT _ 6 punct
    """,
        ["ship | leak | - | modality: no", "ship | not be | safe"],
    ),
    "neither_verb": (
        """
    He he PRON _ 3 nsubj
    neither neither CCONJ _ 3 cc:preconj
    drinks drink VERB VerbForm=Fin 0 root
    nor nor CCONJ _ 5 cc
    smokes smoke VERB VerbForm=Fin 3 conj
    . . PUNCT _ 3 punct
    """,
        ["He | not drink | -", "He | not smoke | -"],
    ),
    "not_only": (
        """
    He he PRON _ 4 nsubj
    not not PART Polarity=Neg 4 advmod
    only only ADV _ 4 advmod
    drinks drink VERB VerbForm=Fin 0 root
    tea tea NOUN _ 4 obj
    , , PUNCT _ 8 punct
    not not PART Polarity=Neg 8 advmod
    coffee coffee NOUN _ 5 conj
    . . PUNCT _ 4 punct
    """,
        ["He | drink | tea", "He | not drink | coffee"],
    ),
    "no_longer": (
        """
    She she PRON _ 4 nsubj
    no no ADV _ 3 advmod
    longer long ADV _ 4 advmod
    left leave VERB VerbForm=Fin 0 root
    without without SCONJ _ 6 mark
    paying pay VERB VerbForm=Part 4 advcl
    . . PUNCT _ 4 punct
    """,
        ["She | not leave | -", "She | not pay | -"],
    ),
    "question": (
        """
    Did do AUX VerbForm=Fin 3 aux
    she she PRON _ 3 nsubj
    win win VERB VerbForm=Inf 0 root
    ? ? PUNCT _ 3 punct
    """,
        ["she | win | - | modality: ?"],
    ),
    "reported_twice": (
        """
    He he PRON _ 2 nsubj
    said say VERB VerbForm=Fin 0 root
    Ann Ann PROPN _ 4 nsubj
    left leave VERB VerbForm=Fin 2 ccomp
    and and CCONJ _ 7 cc
    Bob Bob PROPN _ 7 nsubj
    stayed stay VERB VerbForm=Fin 4 conj
    . . PUNCT _ 2 punct
    """,
        [
            "He | say | Ann left and Bob stayed",
            "Ann | leave | - | modality: say",
            "Bob | stay | - | modality: say",
        ],
    ),
    "claim": (
        """
    The the DET _ 2 det
    claim claim NOUN _ 6 nsubj
    that that SCONJ _ 5 mark
    it it PRON _ 5 nsubj
    works work VERB VerbForm=Fin 2 acl
    failed fail VERB VerbForm=Fin 0 root
    . . PUNCT _ 6 punct
    """,
        ["it | work | - | modality: claim", "The claim that it works | fail | -"],
    ),
    "way": (
        """
    A a DET _ 2 det
    way way NOUN _ 6 nsubj
    of of SCONJ _ 4 mark
    saving save VERB VerbForm=Ger 2 acl
    money money NOUN _ 4 obj
    failed fail VERB VerbForm=Fin 0 root
    """,
        ["- | save | money | modality: way", "A way of saving money | fail | -"],
    ),
    "place": (
        """
    The the DET _ 2 det
    house house NOUN _ 11 nsubj
    where where ADV PronType=Rel 6 advmod
    he he PRON _ 6 nsubj
    often often ADV _ 6 advmod
    sat sit VERB VerbForm=Fin 2 acl:relcl
    with with ADP _ 8 case
    Ann Ann PROPN _ 6 obl
    and and CCONJ _ 10 cc
    Bob Bob PROPN _ 8 conj
    burned burn VERB VerbForm=Fin 0 root
    """,
        [
            "he | sit | - | where: The house | with: with Ann and Bob",
            "The house | burn | -",
        ],
    ),
    "stranded": (
        """
    The the DET _ 2 det
    house house NOUN _ 8 nsubj
    I I PRON _ 4 nsubj
    wanted want VERB VerbForm=Fin 2 acl:relcl
    to to PART _ 6 mark
    pay pay VERB VerbForm=Inf 4 xcomp
    for for ADP _ 6 obl
    burned burn VERB VerbForm=Fin 0 root
    """,
        [
            "I | want | to pay for",
            "I | pay for | The house | modality: want",
            "The house | burn | -",
        ],
    ),
    "whose": (
        """
    The the DET _ 2 det
    man man NOUN _ 6 nsubj
    whose whose PRON PronType=Rel 4 nmod:poss
    car car NOUN _ 5 nsubj
    burned burn VERB VerbForm=Fin 2 acl:relcl
    left leave VERB VerbForm=Fin 0 root
    """,
        ["whose car | burn | -", "The man | leave | -"],
    ),
    "call_on": (
        """
    They they PRON _ 2 nsubj
    called call VERB VerbForm=Fin 0 root
    on on ADP _ 4 case
    Ann Ann PROPN _ 2 obl
    to to PART _ 6 mark
    speak speak VERB VerbForm=Inf 2 xcomp
    """,
        ["They | call | to speak | on: on Ann", "Ann | speak | - | modality: call"],
    ),
    "free_relative": (
        """
    Shops shop NOUN _ 0 root
    that that PRON PronType=Rel 3 nsubj
    sell sell VERB VerbForm=Fin 1 acl:relcl
    what what PRON PronType=Rel 3 obj
    we we PRON _ 6 nsubj
    need need VERB VerbForm=Fin 4 acl:relcl
    """,
        ["Shops | sell | what we need", "we | need | what"],
    ),
    "gerund": (
        """
    We we PRON _ 2 nsubj
    look look VERB VerbForm=Fin 0 root
    forward forward ADV _ 2 advmod
    to to SCONJ _ 5 mark
    meeting meet VERB VerbForm=Ger 2 advcl
    you you PRON _ 5 obj
    """,
        [
            "We | look forward | to meeting you",
            "We | meet | you | modality: to",
        ],
    ),
    "linked_clause": (
        """
    The the DET _ 2 det
    problem problem NOUN _ 6 nsubj:outer
    was be AUX VerbForm=Fin 6 cop
    that that SCONJ _ 6 mark
    Ann Ann PROPN _ 6 nsubj
    left leave VERB VerbForm=Fin 0 root
    him he PRON _ 6 obj
    . . PUNCT _ 6 punct
    """,
        ["The problem | be | that Ann left him", "Ann | leave | him"],
    ),
    "linked_infinitive": (
        """
    The the DET _ 2 det
    goal goal NOUN _ 6 nsubj
    is be AUX VerbForm=Fin 6 cop
    not not PART Polarity=Neg 6 advmod
    to to PART _ 6 mark
    win win VERB VerbForm=Inf 0 root
    it it PRON _ 6 obj
    . . PUNCT _ 6 punct
    """,
        ["The goal | not be | to win it", "- | win | it | modality: be"],
    ),
    "purpose": (
        """
    It it PRON _ 3 nsubj:pass
    was be AUX VerbForm=Fin 3 aux:pass
    sold sell VERB Tense=Past|VerbForm=Part 0 root
    by by ADP _ 5 case
    Ann Ann PROPN _ 3 obl:agent
    to to PART _ 7 mark
    save save VERB VerbForm=Inf 3 advcl
    money money NOUN _ 7 obj
    """,
        ["Ann | sell | It | passive", "Ann | save | money | modality: to"],
    ),
    "aside": (
        """
    I I PRON _ 2 nsubj
    left leave VERB VerbForm=Fin 0 root
    , , PUNCT _ 5 punct
    she she PRON _ 5 nsubj
    stayed stay VERB VerbForm=Fin 2 parataxis
    . . PUNCT _ 2 punct
    """,
        ["I | leave | -", "she | stay | -"],
    ),
    "particle": (
        """
    Keep keep VERB Mood=Imp|VerbForm=Fin 0 root
    it it PRON _ 1 obj
    away away ADV _ 1 advmod
    from from ADP _ 5 case
    fire fire NOUN _ 3 obl
    and and CCONJ _ 7 cc
    call call VERB Mood=Imp|VerbForm=Fin 1 conj
    me I PRON _ 7 obj
    back back ADV _ 7 advmod
    . . PUNCT _ 1 punct
    """,
        [
            "- | keep | it | : away from fire | modality: !",
            "- | call back | me | modality: !",
        ],
    ),
}
RELATIONS = [
    *("nsubj", "obj", "iobj", "obl", "obl:agent", "nsubj:pass", "aux:pass", "cop"),
    *("conj", "cc", "acl:relcl", "acl", "advcl", "xcomp", "ccomp", "parataxis"),
    *("case", "mark", "punct", "compound:prt", "csubj", "expl", "advmod", "det"),
]
FEATS = ["", "VerbForm=Part|Tense=Past", "VerbForm=Inf", "PronType=Rel", "Mood=Imp"]


def parsed(rows, roles=None, places=()):
    words = [line.split() for line in rows.strip().splitlines()]
    forms, lemmas, upos, feats, heads, relations = zip(*words, strict=True)
    return ParsedSentence(
        forms,
        lemmas,
        upos,
        feats,
        [int(head) - 1 for head in heads],
        relations,
        roles or {},
        places,
    )


def shown(sentence):
    """Return the clauses of a sentence as texts."""

    def text(phrase):
        return "-" if phrase is None else " ".join(sentence.forms[slice(*phrase[:2])])

    lines = []
    for clause in find_clauses(sentence):
        verb = f"not {clause.verb}" if clause.negated else clause.verb
        line = [text(clause.subject), verb, text(clause.object)]
        if clause.recipient is not None:
            line.append(f"to: {text(clause.recipient)}")
        if clause.complement is not None:
            line.append(f"complement: {text(clause.complement)}")
        line += [f"when: {text(phrase)}" for phrase in clause.when]
        line += [f"where: {text(phrase)}" for phrase in clause.where]
        line += [f"{phrase.preposition}: {text(phrase)}" for phrase in clause.others]
        if clause.passive:
            line.append("passive")
        if clause.modality:
            line.append(f"modality: {clause.modality}")
        lines.append(" | ".join(line))
    return lines


ROLES = {
    "relative_clause": {
        3: [("A0", 0, 1), ("V", 3, 4), ("AM-LOC", 4, 6)],
        9: [("A0", 0, 6), ("V", 9, 10), ("AM-TMP", 14, 16)],
    },
    "stranded": {
        3: [("A0", 2, 3), ("V", 3, 4), ("A1", 4, 7)],
        5: [("A1", 0, 2), ("A0", 2, 3), ("V", 5, 6)],
    },
    "place": {5: [("V", 5, 6), ("AM-MNR", 6, 10)]},
    "aside": {4: [("A0", 3, 4), ("V", 4, 5)]},
    "gerund": {1: [("V", 1, 3), ("A1", 3, 6)]},
    "particle": {
        0: [("V", 0, 1), ("A1", 1, 2), ("A2", 2, 5)],
        6: [("V", 6, 7), ("A1", 7, 8), ("C-V", 8, 9)],
    },
}
PLACES = {"adverb": [(WHERE, 3, 4)]}


@pytest.mark.parametrize("name", CASES)
def test_clauses(name):
    rows, expected = CASES[name]
    sentence = parsed(rows, ROLES.get(name), PLACES.get(name, ()))
    assert shown(sentence) == expected


def test_adjuncts_without_roles_are_other_phrases():
    rows, _ = CASES["relative_clause"]
    assert shown(parsed(rows)) == [
        "Ann | live in | Rome",
        "Ann | not give | the old book | to: Bob | on: on Monday",
    ]


def test_a_role_tells_an_object_from_an_adjunct():
    rows, _ = CASES["preposition"]
    manner = parsed(rows, {1: [("AM-MNR", 2, 4)]})
    assert shown(manner) == ["He | depend | - | on: on her"]


@st.composite
def trees(draw):
    """Sentences with any tree, relations and features."""
    n = draw(st.integers(1, 12))
    order = draw(st.permutations(range(n)))
    heads = [-1] * n
    for k, word in enumerate(order[1:], start=1):
        heads[word] = order[draw(st.integers(0, k - 1))]
    columns = [
        draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))
        for values in (
            ["who", "to", "not", "and", "(", ")", '"', "x"],
            ["VERB", "NOUN", "PROPN", "PRON", "AUX", "ADV", "ADP", "PUNCT"],
            FEATS,
            RELATIONS,
        )
    ]
    forms, upos, feats, relations = columns
    relations[order[0]] = "root"
    return ParsedSentence(forms, forms, upos, feats, heads, relations)


@given(trees())
@settings(deadline=None)
def test_any_tree_gives_phrases_within_the_sentence(sentence):
    for clause in find_clauses(sentence):
        phrases = [*clause.when, *clause.where, *clause.others]
        phrases += [clause.subject, clause.object, clause.recipient]
        phrases.append(clause.complement)
        for phrase in phrases:
            if phrase is not None:
                assert 0 <= phrase.begin < phrase.end <= len(sentence.forms)

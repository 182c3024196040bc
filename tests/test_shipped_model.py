"""The English models that come with the package and lie beside it."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py import Tree, explain, load
from senna_py.cli.model_summary import model_summary
from senna_py.lm.lstm.word_vectors import Speller
from senna_py.lm.model_files import open_model
from senna_py.lm.scoring import score_stream
from senna_py.model import Model, find_model
from senna_py.models.build import build_model
from senna_py.models.embeddings import read_embeddings
from senna_py.tagger import Tagger
from tests.helpers.commands import run

SENTENCE = (
    "The Bank of England raised interest rates in London on Thursday , "
    "and shares of Rolls-Royce fell ."
)
TASKS = ("pos", "chk", "ner", "pt0", "srl", "psg")


@pytest.fixture(scope="module")
def sentence(shipped_model):
    """A sentence of the news, annotated."""
    return Tagger(shipped_model, TASKS)(SENTENCE)


def test_it_has_a_network_for_each_task(shipped_model):
    assert set(shipped_model.storage.networks) == {
        *TASKS,
        "vbs",
        "dep",
        "upos",
        "feats",
        "val",
    }
    assert shipped_model.default_tasks() == (
        "pos",
        "chk",
        "ner",
        "srl",
        "psg",
        "dep",
        "lemma",
    )


def test_its_name_is_the_same_anywhere(shipped_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_model("models/en") == shipped_model.path.parent
    built = build_model("m.safetensors", ["models/en:pos"])
    assert list(Model(built).storage.networks) == ["pos"]
    (tmp_path / "models" / "en").mkdir(parents=True)
    assert find_model("models/en") == Path("models/en")  # one's own comes first


def test_values_are_marked():
    for form, found in (
        ("brat", b"T8\tMONEY 7 16\t5 dollars\n"),
        ("html", b"<b>MONEY</b>"),
    ):
        command = ("senna-tag", "--path", "en", "--val", "--format", form)
        assert found in run(*command, stdin=b"I paid 5 dollars.").stdout


@pytest.mark.parametrize(
    "text",
    [
        "He paid. | £850 was too much.",
        "Prices rose. | $5 is a lot. | €7 was fine.",
        "I love it 😀 | It cost nothing.",
        "Thanks everyone 🙏🙏 | See you soon.",
        "🎉 Happy birthday!",
        "So happy 😂 today.",
        "He earned ca. $5 million.",
    ],
)
def test_sentences_end_before_amounts_and_behind_emoji(text):
    found = load("en", tasks=()).document(text.replace(" |", ""))
    assert [each.text for each in found.sentences] == text.split(" | ")


@pytest.mark.parametrize(
    ("text", "words"),
    [  # of which corpora have little
        ("Preheat the oven to 350°F", "Preheat/VB/S-VP"),
        ("Cut onions into small pieces", "Cut/VB/S-VP"),
        ("STOCKS FALL AS OIL PRICES RISE", "FALL/VBP/S-VP"),
        ("brb, meeting at 10:30am", "10:30/CD/B-NP am/NN/E-NP"),
        ("He came home at 3am.", "3/CD/B-NP am/NN/E-NP"),
        ("20 quit.", "20/CD"),
        ("100 refuse.", "100/CD"),
        ("Only 2 come.", "2/CD"),
        ("Only 3 come.", "3/CD"),
        ("Yesterday 2 quit.", "2/CD"),
        ("i want 2 go home", "2/TO go/VB"),
        ("we have 2 kids and 3 dogs", "2/CD 3/CD"),
        ("The quick brown fox slept.", "fox/NN"),
        ("A bush grew by the ford.", "bush/NN ford/NN"),
        ("@john_doe thx for the #ff", "@john_doe/ADD #ff/ADD"),
        ("I like my firefox.", "firefox/NNP"),
        ("my fox slept", "fox/NNP"),  # as chat is written, names have no capital
    ],
)
def test_tags_suit_how_words_are_written(shipped_model, text, words):
    tasks = ["pos", "chk"][: words.split()[0].count("/")]
    tagged = {
        "/".join([token.text, *token.tags.values()])
        for token in Tagger(shipped_model, tasks)(text)
    }
    assert {*words.split()} <= tagged


# Text, and bars where its sentences end.
SENTENCES = [
    "We sell bread and / or butter.",
    "Yes / No / Never",
    "It costs $5 / month.",
    "Infection with H. pylori is common.",
    "Review Fig. A and Fig. S2 for details.",
    "Read Rom. 8:28 and Matt. 5:3 today.",
    "It is in 49 Stat. 620 and in Fed. R. Civ. P. 12.",
    "See 80 Harv. L. Rev. 12 and 17 Cal. 425.",
    "Bacillus sp. strain 7 was kept.",
    "Pfc. Anna Lee met Brig. Gen. Kim and Albert I. Jones.",
    "At 5 a.m. Mr. Smith left.| He was back at 6 p.m.| Mr. Smith then slept.",
    "I thank the hon. Gentleman.",
    "He ate three things: (1). a pizza, (2). a pie and (3). a cookie.",
    "METHODS: We asked 20 people.",
    "We talked about… / until noon.",
    "I ate a fig.| A dog barked.",
    "He said no.| Five left.",
    "I took vitamin C.| Then I slept.",
    "They fought in World War I.| France won.",
    "1.) The first item| 2.) The second item| 3.) The last",
    "1) One, 2) two and 3) three.",
    "a. The first item| b. The second item",
    "• 9. The first item| • 10. The second item",
    "----- Original Message -----",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_where_sentences_end(shipped_model, text):
    found = Tagger(shipped_model, "pos").document(text.replace("|", ""))
    assert "|".join(each.text for each in found.sentences).replace("|", "| ") == text


def test_no_slash_is_a_mark_of_transcripts(shipped_model):
    assert "SU" not in shipped_model.storage.labels("pos")
    tags = Tagger(shipped_model, "pos")("He or she / they can go / stay").tags["pos"]
    assert {tags[3], tags[7]} <= {"SYM", ","}


@pytest.mark.parametrize(
    ("text", "negated", "modal"),
    [
        ("He does not eat meat and prefers fish.", "eat", ""),
        ("They never asked and took the money.", "asked", ""),
        ("The firm won't sell the unit and plans a new one.", "sell", "sell"),
        ("She can sing and plays the piano.", "", "sing"),
        ("He does not eat or drink.", "eat drink", ""),
        ("They would not stop and listen.", "stop listen", "stop listen"),
        ("He never lied or cheated.", "lied cheated", ""),
    ],
)
def test_what_a_verb_has_is_copied_to_no_finite_one(
    shipped_model, text, negated, modal
):
    frames = Tagger(shipped_model, "srl")(text).frames
    for label, verbs in (("AM-NEG", negated), ("AM-MOD", modal)):
        having = [
            f.text for f in frames if any(role.label == label for role in f.arguments)
        ]
        assert having == verbs.split()


def test_it_fits_the_wheel(shipped_model):
    path = shipped_model.path
    assert path.stat().st_size <= 36e6
    assert (path.parent / "MODEL_CARD.md").is_file()


def test_it_says_what_it_is(shipped_model):
    summary = model_summary(shipped_model)
    info = summary["info"]
    of_text = {"license": "CC BY-SA 4.0", "language": "en", "tokenizer": "treebank"}
    assert info.items() >= of_text.items()
    for source in (
        "EWT",
        "MASC",
        "GUM",
        "CoNLL-2000",
        "WNUT-17",
        "CrossNER",
        "GeoNames",
    ):
        assert any(source in line for line in info["attribution"]), source
    for network in summary["networks"]:
        assert network["name"] in network["info"]["config"]["tasks"]
        if network["name"] != "val":  # no corpus has its labels
            dev = network["info"]["scores"]["dev"]
            assert 60 < next(iter(dev.values())) < 100, network["name"]


def test_parts_of_speech(sentence):
    assert " ".join(sentence.tags["pos"]) == (
        "DT NNP IN NNP VBD NN NNS IN NNP IN NNP , CC NNS IN NNP VBD ."
    )


def test_chunks(sentence):
    assert " ".join(f"[{chunk.label} {chunk}]" for chunk in sentence.chunks) == (
        "[NP The Bank] [PP of] [NP England] [VP raised] [NP interest rates] [PP in] [NP London] "
        "[PP on] [NP Thursday] [NP shares] [PP of] [NP Rolls-Royce] [VP fell]"
    )


def test_every_label_has_an_explanation(shipped_model):
    storage = shipped_model.storage
    for task in storage.networks:
        for label in storage.labels(task).keys():  # noqa: SIM118 - no dict
            # No bracket begins there.
            assert explain(label) if label else task == "psg", label


def test_entities(sentence):
    assert " ".join(f"[{entity.label} {entity}]" for entity in sentence.entities) == (
        "[ORG Bank of England] [LOC London] [ORG Rolls-Royce]"
    )


def test_universal_tags_and_values(shipped_model):
    found = Tagger(shipped_model, ("upos", "feats", "val"))(
        "She paid $3 million in May 2020."
    )
    assert " ".join(found.tags["upos"]) == "PRON VERB SYM NUM NUM ADP PROPN NUM PUNCT"
    assert (
        found.tags["feats"][1]
        == "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin"
    )
    values = [(span.label, span.text) for span in found.values]
    assert values == [("MONEY", "$3 million"), ("DATE", "May 2020")]


@pytest.mark.parametrize(
    "words",
    [  # in a sentence, the word with its lemma
        "He fed/feed the cat .",
        "It shed/shed its skin .",
        "He shot/shoot the ball .",
        "He wound/wind the clock .",
        "The wound/wound healed/heal quickly .",
        "He saw/see a saw/saw .",
        "They underwent/undergo surgery .",
        "They lied/lie about it .",
        "They reshot/reshoot the scene .",
        "The crowd panicked/panic .",
        "She mimicked/mimic him .",
        "The viruses/virus were small .",
        "The lenses/lens were old .",
        "The quizzes/quiz were hard .",
        "The avalanches/avalanche came .",
        "The zombies/zombie came .",
        "The oxen/ox were tired .",
        "The cacti/cactus grew .",
        "The geese/goose flew/fly away .",
        "The matrices/matrix were large .",
        "The olives/olive and the loaves/loaf were good .",
        "He leaves/leave when the leaves/leaf fall .",
        "This one is bluer/blue than that .",
        "This one is truer/true than that .",
        "We sha/shall n't go .",
        "Gim/give me that .",
        "'T/it is true .",
        "Dept./Dept. of Physics",
        "Two CEOs/CEO met .",
        "We used two GPUs/GPU today .",
        # in the right case
        "We added 5 mL/mL of 10 mM/mM NaCl/NaCl at pH/pH 7 to the mRNA/mRNA .",
        "The kHz/kHz and MHz/MHz values/value were low .",
        "The SOFTware/software works .",
        "I LOVE/love this FOOD/food !",
        "Thanks :-D/:-D",
        "I got it :P/:P XD/XD",
        "He was run\xadning/run to it .",
        "It 's/have taken ages .",
        "Who 's/have got the key ?",
        "It 's/have always been so .",
        "It 's/be called a fork .",
        "It 's/be old .",
        "He blorked/blork it .",  # no word, but it could be one
    ],
)
def test_lemmas_are_words(shipped_model, words):
    given = [word.split("/") for word in words.split()]
    found = Tagger(shipped_model, ("pos", "lemma"))([word for word, *_ in given])
    wanted = {(word, lemma) for word, *lemmas in given for lemma in lemmas}
    assert wanted <= {(token.text, token.lemma) for token in found}


def test_dependencies_and_lemmas(shipped_model):
    found = Tagger(shipped_model, ("dep", "lemma"))(
        "The cats she loves were sleeping ."
    )
    assert [token.lemma for token in found] == [
        "the",
        "cat",
        "she",
        "love",
        "be",
        "sleep",
        ".",
    ]
    assert [token.relation for token in found] == [
        "det",
        "nsubj",
        "nsubj",
        "acl:relcl",
        "aux",
        "root",
        "punct",
    ]
    assert [token.head and token.head.i for token in found] == [
        1,
        5,
        3,
        1,
        5,
        None,
        5,
    ]


def test_networks_share_their_trunk(shipped_model):
    first, *others = map(shipped_model.storage.network, shipped_model.storage.networks)
    assert all(network.block1_weight is first.block1_weight for network in others)


def test_phrases_of_the_tree(sentence):
    tags = dict(zip(SENTENCE.split(), sentence.tags["pt0"], strict=True))
    assert (tags["raised"], tags["interest"], tags["rates"]) == ("S-VP", "B-NP", "E-NP")


def test_the_tree(sentence):
    assert [leaf.word for leaf in sentence.tree.leaves] == SENTENCE.split()
    spans = {(label, begin, end) for label, begin, end in sentence.tree.phrases}
    assert {
        ("NP", 0, 4),
        ("PP", 2, 4),
        ("VP", 4, 11),
        ("PP", 9, 11),
        ("NP", 13, 16),
    } <= spans
    assert sentence.tree.phrases[0] == ("S1", 0, len(sentence))


@pytest.fixture(scope="module")
def parser(shipped_model):
    return Tagger(shipped_model, "psg")


@given(st.lists(st.text(max_size=12), max_size=40))
def test_trees_are_well_formed(parser, words):
    found = parser(" ".join(words))
    assert [leaf.word for leaf in found.tree.leaves] == [token.text for token in found]
    assert str(found.tree).count("(") == str(found.tree).count(")")
    if found:
        assert Tree.parse(str(found.tree)).label == "S1"


@pytest.mark.slow
def test_a_long_line_is_one_sentence_without_roles_and_trees(shipped_model):
    line = " ".join(["We won in 1987 ."] * 600).encode()
    for tasks, lengths in (
        (("pos", "chk", "ner"), [3000]),
        (("pos", "psg"), [1020, 1020, 960]),
    ):
        tagger = Tagger(shipped_model, tasks)
        tokens = tagger.tokenizer.lines(line, True).cut(tagger.longest_sentence)
        assert np.diff(tokens.starts).tolist() == lengths
        tags = tagger.annotate(tokens).layers["pos"].label.reshape(600, 5)
        assert (tags == tags[0]).all()


def test_roles(sentence):
    frames = {
        frame.text: [(span.label, span.text) for span in frame.arguments]
        for frame in sentence.frames
    }
    assert {"raised", "fell"} <= set(frames)
    assert {("A0", "The Bank of England"), ("V", "raised")} <= set(frames["raised"])
    assert dict(frames["raised"])["A1"].startswith("interest rates")
    assert ("A1", "shares of Rolls-Royce") in frames["fell"]


def test_raw_text_gets_the_same_tags(shipped_model, sentence):
    raw = Tagger(shipped_model, ["pos", "ner"])(
        SENTENCE.replace(" ,", ",").replace(" .", ".")
    )
    assert [token.text for token in raw] == SENTENCE.split()
    assert raw.tags["pos"] == sentence.tags["pos"]
    assert raw.entities[0].text == "Bank of England"


def test_segments_hold_both_brackets_or_quotes_of_a_pair(shipped_model):
    tagger = Tagger(shipped_model, ["chk", "ner"], with_scores=True)
    found = tagger(
        'Bake at 350 F ( 180 C ) under the " Applicable Margin " of Section 12 ( b ) .'
    )
    for span in (*found.chunks, *found.entities):
        words = [token.text for token in span.tokens]
        assert words.count("(") == words.count(")") and words.count('"') in (0, 2)
        assert 0 < span.score <= 1
    assert 'the " Applicable Margin "' in [span.text for span in found.chunks]


def test_a_core_role_is_found_once_a_predicate(shipped_model):
    tagger = Tagger(shipped_model, ["srl"])
    for text in (
        "The patient was given acetaminophen .",
        "They gave him him the book the letter .",
    ):
        labels = [span.label for span in tagger(text).frames[-1].arguments]
        assert len({*labels}) == len(labels) > 2


EDITED = [
    "Whisk together 1 tsp. baking soda and ½ tsp. salt in a bowl.",
    "He went to see Yahoo! in Sunnyvale.",
    "Did you watch Jeopardy! last night?",
    "I love Panic! at the Disco.",
    "The E! channel aired it at 9 p.m.|Everybody left.",
    "Send the form by 5 p.m.|Students who miss the deadline will be fined.",
    "Samples were kept at -78 °C.|CO2 emissions were measured twice.",
    "The call is at 1:30pm EST.|Call +1 (555) 010-9999 to join.",
    "Under Section 12(b)(6) of the Fed. R. Civ. P., Defendant moves to dismiss.",
    "The court relied on Bell Atl. Corp. v. Twombly, 550 U.S. 544 (2007), in its order.",
    "See Doe v. Roe, 5 F.3d 12 (9th Cir. 1999).|The motion is denied.",
    "It appeared in vol. 3, no. 4 (ed. J. R. R. Tolkien), of the journal.",
    "She works for Acme Inc. (a unit of Big Corp. Holdings Ltd.) in Mass. and left.",
    'The "Acme Corp. Holdings" plan failed.',
    "In the U.S. Senate hearings began at 10 a.m. Tuesday.|Critics objected.",
    "They moved to the U.S.|The weather was bad.",
]
CHAT = [
    "i love it!|it was great.|the food was good.|we went back",
    "omg this is so cool!|i want one.|where did u get it?|thanks",
]


@pytest.mark.parametrize("text", EDITED + CHAT)
def test_sentences_that_it_learned(shipped_model, text):
    found = Tagger(shipped_model, []).document(text.replace("|", " "))
    assert [sentence.text for sentence in found.sentences] == text.split("|")


def test_its_vectors_are_read_from_its_directory(shipped_model):
    found = read_embeddings(shipped_model.path.parent)
    assert found.words == read_embeddings(shipped_model.path).words
    assert len(found.vectors) == len(found.words) > 100_000


PATH = Path(__file__).resolve().parent.parent / "models" / "characters" / "english.lm"
TEXT = "</s> The bank raised its interest rates on Thursday , and the shares of two others fell ."


@pytest.fixture(scope="module")
def model():
    return open_model(PATH)


def test_it_is_small_and_has_a_card():
    assert PATH.stat().st_size <= 8e6
    assert (PATH.parent / "MODEL_CARD.md").is_file()


def test_sentences_are_likelier_than_their_words_in_another_order(model):
    words = TEXT.split()
    mixed = [words[0], *np.random.default_rng(1).permutation(words[1:]).tolist()]
    found, other = (
        score_stream(model, model.word_list.indices(w)) for w in (words, mixed)
    )
    assert found.unknown == 0 and 5 * found.perplexity < other.perplexity < np.inf


def test_what_a_new_word_looks_like_changes_what_may_come_next(model):
    verb, noun = (
        model.probabilities(model.word_list.indices(["</s>", "She", "is", word]))
        for word in ("frobnicating", "unfrobnicatable")
    )
    the = model.word_list.index[b"the"]
    assert verb[the] > 2 * noun[the]


def test_new_words_have_neighbours_of_their_spelling(model):
    columns = Speller(model).table(["looooook", "reinforcements"], 3, "cosine")
    near = columns[3:]  # below the words themselves
    assert any("look" in row for row in near) and any(
        "reinforce" in row for row in near
    )


def test_likely_parts_of_speech_leave_features_as_the_network_has_them(shipped_model):
    tagger = Tagger(shipped_model, "upos")
    tokens = tagger.tokenizer.lines(b"He went to Berlin with her dogs .\n" * 3)
    layers = tagger.annotate(tokens, uncertain=["upos"]).layers
    assert len(layers["upos"].label) >= len(tokens)

"""Make sentences of sorts that are rare in corpora, from gold ones with known labels.

python recipes/en/everyday.py CORPORA

CORPORA has ewt/train.pos.tsv, gum/train.parse.tsv, masc/train.srl.tsv and
conll2000/train.txt (of which the last tenth is dev). The script writes everyday/pos.tsv
(word, part of speech) and everyday/chk.tsv (word, part of speech, chunk) there:

- recipes and instructions that begin with their verb, often without articles: the ends
  of sentences from an infinitive on, often with another verb and object;
- headings: noun phrases with capitals, or in capitals;
- subjects with verbs in -ed that are mostly participles elsewhere (*closed*), often
  with an apposition of another sentence between them;
- times such as `10:30am`, which are CD;
- chat: abbreviations in place of words, exclamations before and after a sentence;
- words of other languages, which are FW: a whole sentence, a part of one, or its
  object.

everyday.txt was written for this. It has verbs of instructions, their objects,
sentences of other languages, and noun phrases of other languages, each group after an
empty line.
"""

import random
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.io.files import replace_file

POS_FILES = "ewt/train.pos.tsv", "gum/train.parse.tsv", "masc/train.srl.tsv"
LONGEST = 30
ARTICLES = {"a", "an", "the"}
NOUNS, FINITE = {"NN", "NNS", "NNP", "NNPS"}, {"VBD", "VBZ", "VBP", "MD"}
IN_SUBJECT = NOUNS | {"DT", "JJ", "PRP$", "CD", "POS"}
IN_HEADING = {"NN", "NNS", "JJ", "CC"}
OPENS_APPOSITION = {"DT", "VBN", "JJ", "IN", "NNP", "CD"}
MARKS = {"``", "''", '"', "(", ")", "-LRB-", "-RRB-", "[", "]"}
SHORT = {  # of a word and its part of speech
    ("you", "PRP"): "u",
    ("your", "PRP$"): "ur",
    ("are", "VBP"): "r",
    ("and", "CC"): "n",
    ("with", "IN"): "w/",
    ("without", "IN"): "w/o",
    ("before", "IN"): "b4",
    ("because", "IN"): "cuz",
    ("tonight", "NN"): "2nite",
    ("tomorrow", "NN"): "tmrw",
    ("great", "JJ"): "gr8",
    ("people", "NNS"): "ppl",
    ("please", "UH"): "pls",
    ("thanks", "NNS"): "thx",
    ("minutes", "NNS"): "mins",
    ("hours", "NNS"): "hrs",
    ("message", "NN"): "msg",
    ("something", "NN"): "smth",
    ("though", "RB"): "tho",
    ("probably", "RB"): "prob",
    ("picture", "NN"): "pic",
    ("to", "TO"): "2",
    ("for", "IN"): "4",
    ("see", "VB"): "c",
    ("be", "VB"): "b",
    ("why", "WRB"): "y",
    ("okay", "UH"): "k",
    ("weekend", "NN"): "wkend",
}
BEFORE = {
    "UH": "lol omg brb haha ttyl gtg thx ty smh wtf jk lmao hmm ugh yay nah yep ok np yo hey aww",
    "RB": "btw imo imho tbh fyi afaik ofc",
}
BEHIND = {
    "UH": "lol lmao haha xoxo brb ttyl smh ikr jk thx xx rofl omg gtg",
    "RB": "tho imo tbh asap rn irl btw fyi",
}
BEFORE, BEHIND = (
    [(word, tag) for tag, words in table.items() for word in words.split()]
    for table in (BEFORE, BEHIND)
)


def sentences(path):
    """Yield the sentences of a column file as lists of rows of three columns."""
    rows = []
    for line in [*path.read_text(encoding="utf-8").split("\n"), ""]:
        if line:
            rows.append(re.split("[\t ]", line)[:3])
        elif rows:
            yield rows
            rows = []


def capital(rows, rest):
    """Return the rows with a capital in the first, and in some of the `rest`."""
    (word, *labels), *others = rows
    return [[word[:1].upper() + word[1:], *labels], *others, *rest]


def cut(rows):
    """Return rows in which a chunk of another sentence begins as a sentence."""
    if len(rows[0]) > 2:
        rows = [[*rows[0][:2], re.sub("^I-", "B-", rows[0][2])], *rows[1:]]
    return rows


def without_articles(rows):
    """Return the rows without a, an, the; their chunks begin with the next word."""
    found, lost = [], False
    for row in rows:
        if row[0].lower() in ARTICLES and row[1] == "DT":
            lost = True
        else:
            found += cut([row]) if lost else [row]
            lost = False
    return found


def instruction(rows, verbs, objects, rng):
    """Return the end of a sentence from an infinitive on, or None.

    It often gets another verb and object.
    """
    places = [
        i
        for i, (before, verb) in enumerate(pairwise(rows), 1)
        if before[1] in ("TO", "MD")
        and verb[1] == "VB"
        and verb[0] not in ("be", "have")
        and verb[0].isalpha()
        and 3 <= len(rows) - i <= LONGEST
    ]
    if not places:
        return None
    found = cut(rows[rng.choice(places) :])
    if any(word in MARKS for word, *_ in found):
        return None
    if found[1][1] in ("DT", "PRP$", "JJ", "NN", "NNS", "CD") and rng.random() < 0.8:
        found[0] = [rng.choice(verbs), *found[0][1:]]
    if rng.random() < 0.7:
        found = without_articles(found)
    if len(found) > 1 and found[1][1] == "NN" and rng.random() < 0.5:
        found[1] = [rng.choice(objects), *found[1][1:]]
    return found if rng.random() < 0.2 else capital(found, [])


def heading(rows, rng):
    """Return a noun phrase of two or more words that is not at the beginning, or None.

    It gets capitals, or is written in capitals.
    """
    runs, begin = [], None
    for i, (_, tag, *_) in enumerate([*rows, ["", ""]]):
        if tag in IN_HEADING and i:
            begin = i if begin is None else begin
        elif begin is not None:
            if (
                i - begin > 1
                and rows[i - 1][1] in ("NN", "NNS")
                and rows[begin][1] != "CC"
            ):
                runs.append((begin, i))
            begin = None
    if not runs:
        return None
    begin, end = rng.choice(runs)
    found = cut(rows[begin:end])
    way = rng.random()
    if way < 0.4:
        return capital(found, [])
    if way < 0.8:
        return [row if row[1] == "CC" else capital([row], [])[0] for row in found]
    return [[word.upper(), *labels] for word, *labels in found]


def apposition(rows):
    """Return where the rows between the commas of an apposition are, or None."""
    commas = [i for i, row in enumerate(rows) if row[0] == ","]
    for a, b in pairwise(commas):
        inside, fits = (
            rows[a + 1 : b],
            a > 0 and b + 1 < len(rows) and 1 < b - a - 1 < 12,
        )
        if (
            fits
            and rows[a - 1][1] in NOUNS
            and rows[b + 1][1] in FINITE
            and inside[0][1] in OPENS_APPOSITION
            and not any(row[1] in FINITE or row[0] in MARKS for row in inside)
        ):
            return a, b + 1
    return None


def worth(rng):
    """Return the apposition `worth $ 3 billion`, with its commas."""
    number = str(
        rng.choice([rng.randint(2, 900), f"{rng.randint(1, 9)}.{rng.randint(1, 9)}"])
    )
    scale = rng.choice(["million", "million", "billion", "trillion"])
    amount = [["$", "$", "B-NP"], [number, "CD", "I-NP"], [scale, "CD", "I-NP"]]
    return [[",", ",", "O"], ["worth", "JJ", "B-ADJP"], *amount, [",", ",", "O"]]


def with_apposition(rows, pool, verbs, tails, rng):
    """Return the sentence with an apposition after its simple subject, or None.

    Args:
        rows: The sentence; the result is None if it does not begin with such a subject.
        pool: Appositions with their commas.
        verbs: See past_tenses.
        tails: See last_phrases.
        rng: The source of random numbers.
    """
    end = next((i for i, row in enumerate(rows) if row[1] not in IN_SUBJECT), 0)
    if not end or rows[end][1] not in FINITE or rows[end - 1][1] not in NOUNS:
        return None
    verb, rest = rows[end], rows[end + 1 :]
    if verb[1] == "VBD" and rng.random() < 0.7:
        rest = rng.choice(tails)
    if verb[1] == "VBD" and rest and verbs.get(rest[0][1]):
        verb = [rng.choice(verbs[rest[0][1]]), *verb[1:]]
    if not verb[0].endswith("ed") and rng.random() < 0.9:
        return None  # that a verb in -ed is finite there is what networks do not know
    extra = (
        []
        if (way := rng.random()) < 0.25
        else worth(rng)
        if way < 0.35
        else rng.choice(pool)
    )
    return [*rows[:end], *(row[: len(verb)] for row in extra), verb, *rest]


def last_phrases(gold):
    """Return prepositional phrases that end sentences, with and without the period."""
    found = []
    for rows in gold:
        begin = next(
            (i for i in range(-3, -8, -1) if len(rows) >= -i and rows[i][1] == "IN"), 0
        )
        nouns = all(row[1] in IN_SUBJECT for row in rows[begin + 1 : -1])
        if begin and nouns and rows[-1][1] == ".":
            found += [rows[begin:], rows[begin:-1]]
    return found


def past_tenses(gold):
    """Return verbs in -ed that need no object, by the parts of speech after them.

    All of them occur as past tenses, and at least as often as participles.
    """
    found = {"IN": set(), "TO": set(), "RB": set(), ".": set()}
    past, others = Counter(), Counter()
    for (word, tag, *_), behind in (pair for rows in gold for pair in pairwise(rows)):
        if word.endswith("ed"):
            (past if tag == "VBD" else others)[word] += 1
            if tag == "VBD" and behind[1] in found:
                found[behind[1]].add(word)
    return {
        tag: sorted(word for word in words if past[word] <= others[word])
        for tag, words in found.items()
    }


def with_times(rows, rng):
    """Return the sentence with times of day as single tokens, or None if none fits."""
    found, changed, i = [], False, 0
    while i < len(rows):
        word, tag, *chunk = rows[i]
        behind = rows[i + 1][0].lower().replace(".", "") if i + 1 < len(rows) else ""
        hour = re.fullmatch(r"\d\d?([:.]\d\d)?", word) and tag == "CD"
        at = i and rows[i - 1][0].lower() in ("at", "by", "until", "till", "around")
        if hour and (
            behind in ("am", "pm") or (at and rows[min(i + 1, len(rows) - 1)][1] == ".")
        ):
            minutes = rng.choice(["", "", f":{rng.randrange(60):02}", ":30", ":00"])
            half = rng.choice(
                ["am", "pm", "am", "pm", "AM", "PM", "a.m.", "p.m.", "a", "p"]
            )
            time = f"{rng.randint(1, 12)}{minutes}{half}"
            until = f"-{rng.randint(1, 12)}{half}" * (rng.random() < 0.15)
            found.append([time + until, "CD", *chunk])
            changed, i = True, i + 1 + (behind in ("am", "pm"))
        else:
            found.append(rows[i])
            i += 1
    return found if changed else None


def chat(rows, rng):
    """Return the sentence as people write it to friends, or None if it is too long."""
    if len(rows) > LONGEST:
        return None
    found = [
        [SHORT.get((word.lower(), tag), word), tag]
        if rng.random() < 0.8
        else [word, tag]
        for word, tag, *_ in rows
    ]
    if rng.random() < 0.7:
        found = [[word.lower(), tag] for word, tag in found]
    if len(found) > 1 and found[-1][1] == "." and rng.random() < 0.6:
        found.pop()
    where = rng.random()
    if where < 0.4:
        comma = [[",", ","]] * (rng.random() < 0.5)
        found = [list(rng.choice(BEFORE)), *comma, *found]
    elif where < 0.8:
        found.append(list(rng.choice(BEHIND)))
    if rng.random() < 0.3:
        found[0][0] = found[0][0].capitalize()
    return found


def foreign(text):
    """Return rows for a text of another language, whose tokens are between blanks."""
    marks = {".": ".", "?": ".", "¿": ".", "!": ".", "¡": ".", ",": ","}
    return [[word, marks.get(word, "FW")] for word in text.split()]


def with_foreign(rows, texts, phrases, rng):
    """Return the sentence with words of another language, or None.

    They stand within the sentence, beside it, or in its place.
    """
    rows, words = [row[:2] for row in rows], foreign(rng.choice(texts))
    way = rng.choices(
        ["alone", "beside", "quote", "within", "object"], [15, 35, 10, 15, 25]
    )[0]
    end = rows[-1:] if rows[-1][1] == "." else []
    body = rows[: len(rows) - len(end)]
    closed = words[-1][1] == "."
    if way == "alone":
        found = words if closed or rng.random() < 0.4 else [*words, [".", "."]]
        return capital(found, []) if rng.random() < 0.6 else found
    if len(rows) > LONGEST or not body:
        return None
    if way == "beside":
        mark = rng.choice([",", ",", "...", "-", ":"])
        mark = [[mark, "," if mark == "," else ":"]]
        behind = body + mark + words + ([] if closed else end)
        before = capital(words, ([] if closed else mark) + body + end)
        return behind if rng.random() < 0.6 else before
    if way == "quote":
        return [['"', "``"], *words, ['"', "''"], *body, *end]
    if way == "within":
        places = [i for i, row in enumerate(rows) if i > 1 and row[1] in (",", "CC")]
        i = rng.choice([*places, len(body)])
        return rows[:i] + [row for row in words if row[1] == "FW"] + rows[i:]
    return with_object(rows, foreign(rng.choice(phrases)), rng)


def with_object(rows, phrase, rng):
    """Return the sentence with another phrase after a verb or preposition, or None."""
    before = "VB", "VBD", "VBP", "VBZ", "IN", "VBG"
    places = [
        i
        for i in range(1, len(rows))
        if rows[i - 1][1] in before and rows[i][1] in ("DT", "PRP$", "PRP")
    ]
    if not places:
        return None
    begin = rng.choice(places)
    end = begin + 1
    if rows[begin][1] != "PRP":
        while end < len(rows) and rows[end][1] in ("JJ", "NN", "NNS"):
            end += 1
        if end == begin + 1:
            return None
    return rows[:begin] + phrase + rows[end:]


def made(gold, kinds, rng):
    """Yield sentences of each sort, as many as `kinds` allows: {function: number}."""
    for make, most in kinds.items():
        chosen = rng.sample(gold, len(gold)) * 2  # what is made of one differs
        found = (make(rows) for rows in chosen)
        for _, rows in zip(range(most), filter(None, found)):  # noqa: B905 - there may be fewer
            yield rows


def mended(rows):
    """Return the rows with a B where a chunk has lost its first word."""
    before = "O"
    for word, *tags in rows:
        chunk = tags[-1]
        if chunk.startswith("I-") and before[2:] != chunk[2:]:
            tags[-1] = "B" + chunk[1:]
        before = chunk
        yield [word, *tags]


def write(path, gold, rng, verbs, objects, texts=()):
    """Write the sentences that are made from gold ones.

    Args:
        path: The file.
        gold: The gold sentences.
        rng: The source of random numbers.
        verbs: The verbs of instructions.
        objects: Their objects.
        texts: Foreign sentences and phrases, or nothing.
    """
    pool = [rows[slice(*place)] for rows in gold if (place := apposition(rows))]
    tenses, tails = past_tenses(gold), last_phrases(gold)
    part = len(gold) // 10
    kinds = {
        lambda rows: instruction(rows, verbs, objects, rng): 3 * part,
        lambda rows: heading(rows, rng): part // 2,
        lambda rows: with_apposition(rows, pool, tenses, tails, rng): 2 * part,
        lambda rows: with_times(rows, rng): part // 2,
    }
    if texts:
        kinds[lambda rows: chat(rows, rng)] = part
        kinds[lambda rows: with_foreign(rows, *texts, rng)] = part
    found = [list(mended(rows)) for rows in made(gold, kinds, rng) if len(rows) > 1]
    rng.shuffle(found)
    width = 2 if texts else 3
    text = "".join(
        "".join("\t".join(r[:width]) + "\n" for r in rows) + "\n" for rows in found
    )
    path.parent.mkdir(exist_ok=True)
    replace_file(path, lambda file: file.write(text.encode()))


def main(corpora):
    """Write both files."""
    corpora = Path(corpora)
    rng = random.Random(1)
    parts = (
        Path(__file__)
        .with_suffix(".txt")
        .read_text(encoding="utf-8")
        .strip()
        .split("\n\n")
    )
    verbs, objects, *texts = (
        parts[0].split(),
        parts[1].split(),
        *map(str.splitlines, parts[2:]),
    )
    gold = [
        text
        for name in POS_FILES
        for rows in sentences(corpora / name)
        if (text := [row for row in rows if row[1] != "SU"])  # a mark of transcripts
    ]
    write(corpora / "everyday/pos.tsv", gold, rng, verbs, objects, texts)
    chunks = list(sentences(corpora / "conll2000/train.txt"))
    write(
        corpora / "everyday/chk.tsv",
        chunks[: int(0.9 * len(chunks))],
        rng,
        verbs,
        objects,
    )


if __name__ == "__main__":
    run_script(main, __doc__)

"""Posts with @-mentions, hashtags, addresses and emoji, to train `pos` and `ner` on.

python recipes/en/tweets.py CORPORA -path MODEL

CORPORA has ner/wnut17.train.tsv (WNUT-17) and ner/btc.*.tsv (Broad Twitter Corpus). The
script writes tweets/ner.tsv, tweets/pos.tsv and, with every tenth post of the latter
corpus, tweets/dev.ner.tsv there. Tokens that the corpora split are joined: `@ name`,
`# tag`. Emoji, of which the corpora have few, are added to some of the posts. Parts of
speech are predicted by MODEL, except for the tokens for which these posts are made: as
in UD English EWT, @-mentions, hashtags and addresses are ADD, and emoji and emoticons
NFP. @-mentions are not entities.
"""

import random
import re
import subprocess
from pathlib import Path

from senna_py.cli.scripts import run_script
from senna_py.io.files import replace_file

LABELS = {
    "person": "PER",
    "location": "LOC",
    "corporation": "ORG",
    "group": "ORG",
    "product": "O",
    "creative-work": "O",
}
ADDRESS = re.compile(r"[@#]\w.*|https?:.*|www\..*|\S+@\w+\.\w+", re.IGNORECASE)
EMOTICON = re.compile(
    r"[:;=8x][-']?[()\[\]dpo/\\*3|]+|<3+|[(\[][-']?[:;=]|\^_*\^|-_+-", re.IGNORECASE
)
_TIME, _HALF = r"\d\d?([:.]\d\d)?", r"[ap]\.?m\.?"
TIME_OF_DAY = re.compile(rf"({_TIME}({_HALF})?[-–])?{_TIME}{_HALF}", re.IGNORECASE)
FREQUENT = (
    "😂 😭 😍 😊 🙏 🔥 💯 👏 🎉 😩 😅 🤔 😎 👀 💪 🙌 😘 😁 😉 🤣 ✨ 💕 🥰 😒 😴 "
    "❤️ ☺️ ✌️ ☀️ ♥️ ‼️ 👍🏽 👍🏻 👏🏿 🙏🏾 💁🏼 🤷🏽‍♀️ 🤦‍♂️ 👨‍👩‍👧 🏳️‍🌈 👩🏽‍💻 🇺🇸 🇬🇧 🇫🇷 🇧🇷 🇯🇵 1️⃣ 3️⃣"
)
EMOJI = FREQUENT.split()
SYMBOL = re.compile("[\u2190-\u2bff\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]+")
SHARE = 0.25  # of the posts that get emoji


def posts(path):
    """Yield the sentences of a column file as lists of [word, IOB2 tag]."""
    post = []
    for line in [*path.read_text(encoding="utf-8").split("\n"), ""]:
        if line:
            word, _, tag = line.split("\t")
            prefix, _, kind = tag.partition("-")
            name = LABELS.get(kind, kind)
            post.append([word, f"{prefix}-{name}" if kind and name != "O" else "O"])
        elif post:
            yield post
            post = []


def joined(post):
    """Return the post with `@ name` and `# tag` as one token.

    @-mentions are then outside entities.
    """
    found = []
    for word, tag in post:
        if found and found[-1][0] in ("@", "#") and re.match(r"\w", word):
            found[-1] = [found[-1][0] + word, tag]
        else:
            found.append([word, tag])
    for i, (word, tag) in enumerate(found):
        if re.match(r"@\w", word):
            found[i][1] = "O"
        elif tag.startswith("I-") and (i == 0 or found[i - 1][1] == "O"):
            found[i][1] = "B" + tag[1:]
    return found


def with_emoji(post, random_source):
    """Return the post, perhaps with one to three emoji after it or one of its words."""
    if random_source.random() < SHARE:
        place = (
            len(post)
            if random_source.random() < 0.7
            else random_source.randrange(len(post) + 1)
        )
        if place == len(post) or not post[place][1].startswith("I-"):
            emoji = random_source.choices(EMOJI, k=random_source.choice([1, 1, 2, 3]))
            post[place:place] = [[word, "O"] for word in emoji]
    return post


def part_of_speech(word, tag):
    """Return the tag of a token in UD English EWT, if networks know too little of it."""
    if ADDRESS.fullmatch(word):
        return "ADD"
    if EMOTICON.fullmatch(word) or SYMBOL.fullmatch(word) or word in EMOJI:
        return "NFP"
    if TIME_OF_DAY.fullmatch(word):
        return "CD"
    return "NN" if tag in ("ADD", "NFP") and word.isalpha() else tag


def write(path, found):
    """Write posts, which are lists of a word and a label, in one step."""
    text = "".join(
        "".join(f"{word}\t{label}\n" for word, label in post) + "\n" for post in found
    )
    replace_file(path, lambda file: file.write(text.encode()))


def main(corpora, *options):
    """Write the three files."""
    corpora = Path(corpora)
    files = [corpora / "ner/wnut17.train.tsv", *sorted(corpora.glob("ner/btc.*.tsv"))]
    random_source = random.Random(1)
    found = [with_emoji(joined(post), random_source) for post in posts(files[0])]
    tweets = [joined(post) for path in files[1:] for post in posts(path)]
    found += [
        with_emoji(post, random_source) for i, post in enumerate(tweets) if i % 10
    ]
    text = "".join(" ".join(word for word, _ in post) + "\n" for post in found)
    command = ["senna-tag", "-usrtokens", "-pos", "--format", "conll", *options]
    tagged = subprocess.run(
        command, input=text, stdout=subprocess.PIPE, text=True, check=True
    )
    rows = [
        line
        for line in tagged.stdout.split("\n")
        if line and not line.startswith("# word\t")
    ]
    tags = iter(row.split("\t")[-1] for row in rows)
    tagged = [
        [(word, part_of_speech(word, next(tags))) for word, _ in post] for post in found
    ]
    for name, rows in (("dev.ner", tweets[::10]), ("ner", found), ("pos", tagged)):
        write(corpora / f"tweets/{name}.tsv", rows)


if __name__ == "__main__":
    run_script(main, __doc__)

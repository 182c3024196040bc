"""Count where the layers of a model contradict each other on a text.

python recipes/en/contradictions.py FILE [--path MODEL] [--tokens] [--show]

FILE has running text, a paragraph per line, or with --tokens one sentence per line,
with tokens between blanks. Layers may differ without a mistake (an argument need not be
a constituent), so only the difference between models is telling. The script prints how
many of these there are in 1,000 tokens:

argument: an argument of several words, other than V, that is not a phrase of the tree
preposition: a word with the tag IN outside PP, WHPP, SBAR, ADVP, CONJP and QP
pp chunk: a PP chunk whose first word is outside PP, WHPP, SBAR and CONJP
vp chunk: a VP chunk without a verb or modal
predicate: a predicate that is tagged as no verb, modal, noun or adjective
"""

import click

from senna_py import load

KINDS = "argument", "preposition", "pp chunk", "vp chunk", "predicate"
OF_PREPOSITIONS = {"PP", "WHPP", "SBAR", "ADVP", "CONJP", "QP"}
OF_CHUNKS = OF_PREPOSITIONS - {"ADVP", "QP"}
PREDICATES = "VB", "MD", "NN", "JJ"


def contradictions(sentence):
    """Yield pairs of a name of KINDS and the words concerned, for a Sentence."""
    phrases = sentence.tree.phrases
    spans = {(begin, end) for _, begin, end in phrases}
    above = {token.i: set() for token in sentence}
    for label, begin, end in phrases:
        for i in range(begin, end):
            above[i].add(label)
    for frame in sentence.frames:
        if not frame.token.pos.startswith(PREDICATES):
            yield "predicate", frame.text
        for span in frame.arguments:
            if (
                span.label != "V"
                and span.end - span.start > 1
                and (span.start, span.end) not in spans
            ):
                yield "argument", f"{span.label} of {frame.text}: {span.text}"
    for token in sentence:
        if token.pos == "IN" and not above[token.i] & OF_PREPOSITIONS:
            yield "preposition", token.text
    for chunk in sentence.chunks:
        if chunk.label == "PP" and not above[chunk.start] & OF_CHUNKS:
            yield "pp chunk", chunk.text
        of_verbs = [token.pos.startswith(("VB", "MD")) for token in chunk]
        if chunk.label == "VP" and not any(of_verbs):
            yield "vp chunk", chunk.text


@click.command()
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option("--path", default=None)
@click.option("--tokens", is_flag=True)
@click.option("--show", is_flag=True, help="print each")
def main(file, path, tokens, show):
    """Print the counts."""
    nlp = load(path, tasks=["pos", "chk", "srl", "psg"])
    lines = [line.strip() for line in file if line.strip()]
    if tokens:
        sentences = list(nlp.pipe(line.split(" ") for line in lines))
    else:
        documents = nlp.pipe(lines, documents=True)
        sentences = [each for document in documents for each in document.sentences]
    counts, bad = dict.fromkeys(KINDS, 0), 0
    for sentence in sentences:
        found = list(contradictions(sentence))
        bad += bool(found)
        for kind, words in found:
            counts[kind] += 1
            if show:
                print(f"{kind}\t{words}")
    n = sum(map(len, sentences))
    for kind, count in counts.items():
        print(f"{kind:<12} {1000 * count / n:6.2f}")
    print(f"{'all':<12} {1000 * sum(counts.values()) / n:6.2f} of 1,000 tokens")
    print(
        f"{n:,} tokens, {len(sentences):,} sentences, {100 * bad / len(sentences):.1f}% with any"
    )


if __name__ == "__main__":
    main()

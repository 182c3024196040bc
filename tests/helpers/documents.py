"""Documents and sentences of words, with answers that a test gives."""

from senna_py import Document, Sentence


def span(label, begin, end, score=None):
    """Return the JSON of a span."""
    place = {"label": label, "start_token": begin, "end_token": end}
    return place if score is None else place | {"score": score}


def frame(predicate, *arguments):
    """Return the JSON of a frame; arguments: of (label, begin, end)."""
    spans = [span(*argument) for argument in arguments]
    return {"predicate": predicate, "arguments": spans}


def arcs(heads, relations):
    """Return the JSON of dependencies."""
    pairs = zip(heads, relations, strict=True)
    return [{"head": head, "relation": relation} for head, relation in pairs]


def sentence_object(words, text=None, at=0, **answers):
    """Return the JSON of a sentence that begins at a character; answers: by their keys."""
    joined = text is None
    text = " ".join(words) if joined else text
    tokens, place = [], 0
    for number, word in enumerate(words):
        start = place + (number > 0) if joined else text.index(word, place)
        place = start + len(word)
        tokens.append({"text": word, "start_char": at + start, "end_char": at + place})
    return {"text": text, "start_char": at, "tokens": tokens} | answers


def sentence_of(words, text=None, at=0, **answers):
    """Return a Sentence of words."""
    return Sentence.from_dict(sentence_object(words, text, at, **answers))


def document_of(*sentences, text=None):
    """Return a Document of JSON of sentences, each of which begins where it says."""
    if text is None:
        text = ""
        for each in sentences:
            text = text.ljust(each["start_char"]) + each["text"]
    return Document.from_dict({"text": text, "sentences": sentences})

"""Search: patterns over the words, spans and relations of documents."""

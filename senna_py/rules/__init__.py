"""A user's rules: exceptions of tokens, words with given tags, and lists of entities."""

"""Features of tokens: what a network sees beside the word itself (section 3.2.1)."""

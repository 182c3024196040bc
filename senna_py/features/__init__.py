"""Features of tokens: what a network sees of a token beside its word (section
3.2.1).
"""

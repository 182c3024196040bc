"""Language models with LSTM layers (Kim et al. 2016).

They read words, words with their morphemes, or characters.
"""

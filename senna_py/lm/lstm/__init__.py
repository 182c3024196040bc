"""LSTM language models over words, morphemes or characters (Kim et al. 2016)."""

"""Language models with LSTM layers over words, morphemes or characters (Kim et al.
2016).
"""

"""The layers of taggers and language models: parameters, forward and backward."""

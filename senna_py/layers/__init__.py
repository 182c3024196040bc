"""The layers of taggers and language models, with their forward and backward passes."""

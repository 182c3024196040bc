"""Files of models: native models, SENNA's directories, checkpoints and word vectors."""

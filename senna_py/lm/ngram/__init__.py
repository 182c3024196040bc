"""N-gram language models: Kneser-Ney, interpolated and class-based."""

"""Language models that count n-grams."""

"""Language models based on counts of n-grams."""

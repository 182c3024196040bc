"""Labels and their meaning: tasks, tag schemes, trees, constraints and lemmas."""

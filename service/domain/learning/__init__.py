"""What a person knows, by what was shown: reviews, ratings by rule, spaced repetition, drills."""

"""Prompt files become text for a model; what strangers wrote is fenced here and nowhere else."""

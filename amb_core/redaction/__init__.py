"""Taking personal data and secrets out of a text before it is kept."""

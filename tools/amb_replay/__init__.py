"""Replays what agents did, and shows what would have gone into every request with and without memory."""

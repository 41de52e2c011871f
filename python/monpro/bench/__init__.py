"""Timings of software: the competitors, the race, and fair timing."""

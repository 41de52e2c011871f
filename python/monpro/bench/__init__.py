"""Timings of software: who takes part in a race, how it is run, and fair timing."""

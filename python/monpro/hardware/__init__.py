"""Exponentiations and RSA on simulated hardware cores."""

"""The papers' algorithms, executable and literal: one file for each paper, standard library only."""

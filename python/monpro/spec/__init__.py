"""The papers' algorithms, executable and literal: one file a paper, standard library only."""

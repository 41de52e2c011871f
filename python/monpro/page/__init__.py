"""The page of `monpro report`: what was recomputed, what is fastest, the limits, and the errata."""

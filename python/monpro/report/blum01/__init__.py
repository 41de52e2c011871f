"""The tables of [blum01]."""

"""Drawings of the papers' figures, as SVG."""

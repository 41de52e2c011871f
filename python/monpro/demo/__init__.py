"""The demo: every engine tried on real exponentiations, and a page that shows the results."""

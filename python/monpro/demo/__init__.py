"""The main job: every engine tried on real exponentiations, with a page that shows the results."""

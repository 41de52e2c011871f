"""The tables and figures of [amberg08]."""

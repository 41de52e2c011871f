"""The tables and figures of [kuang16]."""

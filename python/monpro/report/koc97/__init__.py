"""The tables and figures of [koc97]."""

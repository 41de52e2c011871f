"""The tables and figures of [koc96]."""

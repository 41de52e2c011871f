"""Times in words."""


def format_seconds(seconds: float) -> str:
    """Return a time with three digits and a suitable unit: 3.21 ms; 0.72 ns, at most two decimals."""
    value, unit = seconds * 1e9, "ns"
    for larger in ("µs", "ms", "s"):
        if value < 999.5:  # a larger value has four digits when rounded
            break
        value, unit = value / 1000, larger
    decimals = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{decimals}f} {unit}"

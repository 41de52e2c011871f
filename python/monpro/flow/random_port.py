"""The ports that only a blinded core has: random words in, a failed check out. They pass a bus slave by."""

from monpro.cores import WordSerial

RANDOM_WORD = 0x2545F491  # which the emitted test bench gives a core in place of random ones
_FAULT = "fault_o"


def is_there(core: WordSerial) -> bool:
    """Return whether a core takes random words."""
    return "random" in core.facts


def add_to(core: WordSerial, ports: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the ports of a top module for its manifest, inputs first, with those of the random words."""
    if not is_there(core):
        return ports
    more: dict[str, dict[str, int]] = {
        "input": {"random_valid_i": 1, "random_i": core.port_bits},
        "output": {"random_ready_o": 1, _FAULT: 1},
    }
    return [
        port
        for direction, widths in more.items()
        for port in (
            *(port for port in ports if port["direction"] == direction),
            *({"name": name, "direction": direction, "width": width} for name, width in widths.items()),
        )
    ]


def note(core: WordSerial) -> str:
    """Return what the header of a slave says of these ports."""
    if not is_there(core):
        return ""
    return (
        "\n//\n// The core takes random words by random_valid_i, random_ready_o and random_i. fault_o is high"
        ' with the status "the\n// job is refused" if the check of a result has failed.'
    )


def declarations(core: WordSerial) -> str:
    """Return the declarations behind the last port of a slave."""
    if not is_there(core):
        return ""
    word = f"[{core.port_bits - 1}:0]"
    declared = (
        "input  logic        random_valid_i",
        f"input  logic {word:<6} random_i",
        "output logic        random_ready_o",
        f"output logic        {_FAULT}",
    )
    return "".join(f",\n  {port}" for port in declared)


def passed_on(core: WordSerial) -> str:
    """Return the connections of these ports to the core inside a slave, behind its last connection."""
    if not is_there(core):
        return ""
    names = ("random_valid_i", "random_i", "random_ready_o", _FAULT)
    return "".join(f",\n    .{name}({name})" for name in names)


def driven(core: WordSerial) -> str:
    """Return the connections of these ports in a test bench, which gives the same word again and again."""
    if not is_there(core):
        return ""
    word = f"{core.port_bits}'h{RANDOM_WORD % (1 << core.port_bits):x}"
    values = {"random_valid_i": "1'b1", "random_i": word, "random_ready_o": "", _FAULT: ""}
    return "".join(f"    .{name}({value}),\n" for name, value in values.items())

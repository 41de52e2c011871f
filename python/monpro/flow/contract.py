"""What a manifest says so that a program alone can drive a core: clock, reset, handshakes, what counts."""

from monpro.cores import Core, WordSerial
from monpro.cores.window_exponentiator import BlindedWindowExponentiator, CrtWindowExponentiator
from monpro.flow.buses import FRONT_ENDS, TRANSFER, Bus, handshake

FORMULAS = (
    "Python expressions of integers. Their names are the numbers of a job, such as n and x, and the "
    "constants, each of which needs only those above it; in `represents`, `carried` is what the port or "
    "register holds"
)
CYCLES = {
    Core: "rising clock edges after the one that takes the operands, up to the one after which valid_o is 1",
    WordSerial: "rising clock edges after the one that takes the last word, up to the one after which the "
    "first word of the result is valid, if no word had to wait",
}
WORD_ORDER = "a number of several words passes the lowest word first"


def of_ports(core: Core | WordSerial, bus: Bus) -> dict[str, object]:
    """Return the clock, the reset, and the handshakes of the ports."""
    return {
        "clock": {"port": "clk_i", "edge": "rising"},
        "reset": {
            "port": "rst_ni",
            "active": "low",
            "assertion": "asynchronous",
            "release": "in step with the clock",
            "effect": "ends what runs; numbers that were given before must be given again, and stay in "
            "registers and memories until they are overwritten",
        },
        "handshakes": _handshakes(core) if bus == "none" else list(FRONT_ENDS[bus].handshakes),
        "transfer": TRANSFER if bus == "none" else FRONT_ENDS[bus].transfer,
    }


def error_of(core: WordSerial, bus: Bus) -> dict[str, object]:
    """Return where a core with word ports tells that it refuses a job, when, and what ends it."""
    if bus == "none":
        return {"if": core.refused, "port": "error_o", "ends_with": "a reset"}
    return {"if": core.refused, "register": "status", "field": "error", "ends_with": "an abort"}


def range_of_n(core: Core | WordSerial) -> dict[str, object]:
    """Return which moduli a core takes."""
    square_free = {"square_free": True} if isinstance(core, BlindedWindowExponentiator) else {}
    return {"least": "3", "below": f"2**{core.width_bits}", "odd": True} | square_free


def ranges(core: WordSerial) -> dict[str, dict[str, object]]:
    """Return the bounds of all numbers of a job. One with p and q has no n."""
    moduli = {} if isinstance(core, CrtWindowExponentiator) else {"n": range_of_n(core)}
    return moduli | core.ranges


def latency(core: Core | WordSerial) -> dict[str, object]:
    """Return the formula of the cycles, for people, and what its letters mean."""
    return {"formula": core.latency, "letters": core.letters}


def _handshakes(core: Core | WordSerial) -> list[dict[str, object]]:
    if isinstance(core, Core):
        given, taken = ["x_i", "y_i", "n_i"], ["z_o"]
        meaning = ("a product starts", "the result is taken, and stays until then")
    else:
        given, taken = ["word_i"], ["word_o", "last_o"]
        meaning = (
            "the next word of the input",
            "the next word of the result; last_o is 1 with its last word",
        )
    return [
        handshake(meaning[0], "valid_i", "ready_o", given),
        handshake(meaning[1], "valid_o", "ready_i", taken),
    ]

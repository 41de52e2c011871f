"""No unknown of a register, a memory or an idle input reaches a control output, or a result.

Icarus begins with all bits unknown. The emitted test bench makes data inputs unknown while valid_i is low,
and fails if a handshake after the reset, or a result, is unknown.
"""

import re
from pathlib import Path

import pytest

import four_state
from monpro.cores import Core, WordSerial, exponentiators_of_width, of_width, word_multipliers_of_width

NARROW = of_width(8) | word_multipliers_of_width(8) | exponentiators_of_width(8)
BENCH = "monpro_testbench.sv"


@pytest.mark.parametrize("name", four_state.NAMES)
def test_no_unknown_leaves_a_core(name: str, tmp_path: Path) -> None:
    core = four_state.small(name)
    printed = four_state.bench_output(core, tmp_path)
    assert four_state.passes(core, printed), printed


@pytest.mark.slow
@pytest.mark.parametrize("name", NARROW)
def test_no_unknown_leaves_any_variant(name: str, tmp_path: Path) -> None:
    printed = four_state.bench_output(NARROW[name], tmp_path)
    assert four_state.passes(NARROW[name], printed), printed


@pytest.mark.parametrize("name", ["quotient-pipelined", "dsp", "systolic", "binary-exp:mm"])
def test_words_that_are_unknown_in_pauses_do_not_matter(name: str, tmp_path: Path) -> None:
    core = four_state.small(name)
    files = changed(core, BENCH, r"(Pauses += 1'b)0", r"\g<1>1")
    printed = four_state.bench_output(core, tmp_path, files)
    assert four_state.passes(core, printed), printed


def changed(core: Core | WordSerial, file: str, pattern: str, replacement: str) -> dict[str, str]:
    """Return the files of a core with one change to one of them."""
    files = four_state.files(core)
    files[file], changes = re.subn(pattern, replacement, files[file], count=1)
    assert changes == 1
    return files


@pytest.mark.parametrize(
    ("name", "file", "pattern", "replacement"),
    [
        ("mm", "monpro_mul_mm.sv", r"if \(!rst_ni\) begin\n +state_q +<= \w+;", "if (!rst_ni) begin"),
        (
            *("mm", "monpro_mul_mm.sv", r"if \(valid_i\) state_q <= StLoop;"),
            "state_q <= (valid_i | x_i[0]) ? StLoop : StIdle;",
        ),
        ("systolic", "monpro_exp_systolic.sv", r"state_q  <= StClear;", ""),
        ("quotient-pipelined", "monpro_mul_quotient_pipelined.sv", r"state_q +<= St\w+;", ""),
        ("window-exp", "monpro_power_window.sv", r"(if \(!rst_ni\) begin\n) +state_q <= \w+;", r"\1"),
    ],
)
def test_a_missing_reset_or_an_input_out_of_turn_is_seen(
    name: str, file: str, pattern: str, replacement: str, tmp_path: Path
) -> None:
    core = four_state.small(name)
    printed = four_state.bench_output(core, tmp_path, changed(core, file, pattern, replacement))
    assert "FAIL: an unknown" in printed
    assert not four_state.passes(core, printed)

"""What a wipe leaves in the registers and memories of a simulated core."""

import re
from pathlib import Path

# Stops the clock of a core as soon as a wipe has ended, so no register is cleared after it.
CLOCK_GATE = Path(__file__).parent / "cells" / "monpro_cell_clock_gate.sv"

# Of the multiplier with late quotient digits: the control, lengths, and the marks that travel with words.
CONTROL = (
    r"\.(state_q|words_q|index_q|pass_q|step_q|[xy]_q|reduce_q|come_index_q|write_address_q|written_q|"
    r"out_index_q|out_next_q|token_\w|first_\w|last_\w|tables_\w|multiple_o|top_q|skip_\w|valid_q|drain_q|"
    r"fill_q|fills_q|fill_last_q|fill_next_i|drained_q|settled_q|wipe_q|beyond_q|last_pass_q|waited_q|"
    r"reads_out_q|holds_q|come_first_q|active_q|write_[nx]_q|n0_q|clears?_[oq]|squares_q|follows_q|run_\w+|"
    r"step_[st]_q|borrow_q|zeros_q|wrong_length_q|next_end_q|end_word_q|skip_step_q|next_last_q)$"
    r"|(u_dut|u_multiplier|u_array)\.multiple_q$"
    r"|(u_dut|u_multiplier)\.(ready_o|valid_o|last_o|cleared|n0|(next_)?highest_q|flushes_q|index_\w+|"
    r"pass_\w+)$"
    r"|u_reduction\.(zero_q|from_one_q)$"
)

# What a wipe leaves beside what it leaves of the multiplier: control, lengths and marks of words.
CONTROL_OF_WINDOWS = (
    CONTROL + r"|u_power\.(kind_q|next_kind|next_kind_q|next_command_q|leaves_q|highest_q|flushes_q|spare_q)$"
    r"|u_power\.(count_q|exponent_\w+_q|entry_q|scanned_q|pending_q|power_word_q|t_index_q|write_index_q)$"
    r"|u_power\.(rest_q|left_q|bits_left_q|read_\w+_q|store_word_q|found_q|found_entry_q|give_n_q|odd_q)$"
    r"|u_power\.(length_\w+_q|words_came_q|wrong_words_q)$"
    r"|u_power\.(above_one_q|long_q|below_q|less_q|equal_q|came_base_then_q|later_q|asked_\w+)$"
    r"|u_power\.(ahead_is_t_q|first_y_q|takes_high_q)$"
    r"|u_power\.(pass_ends_q|reached_q|last_pass_q|write_table_q|table_write_address_q|more_q|index_\w+)$"
    r"|u_power\.(came_(any|n|base|exponent|index)_q|\w+_first_q)$|u_resting_clock\.rested_q$"
)

# Of the exponentiator on DSP blocks: the control, a length, and that entry 0 of the table is asked for.
CONTROL_OF_DSP_WINDOWS = (
    r"u_dut\.(count_q|highest_q|kind_q|next_kind|wiping_q)$"
    r"|u_array\.(clear_q|final_q|first_q|token_q|token_phase_q)$|u_pe\.clear_q$"
    r"|u_residue\.high_q$|u_table\.(first_q|gen_bank\[0\]\.gen_memory\.asked_(later_)?q)$"
    r"|u_resting_clock\.rested_q$"
)


def memories(words: int, radix_log2: int) -> list[tuple[str, int]]:
    """Return the paths of the memories inside the multiplier with late quotient digits, and their depths."""
    tables = [
        (f"u_array.gen_word[{j}].gen_pe.u_pe.u_{table}.words", 1 << radix_log2)
        for j in range(words)
        for table in "bn"
    ]
    return [
        ("u_n.words", words),
        ("u_x.words", words),
        ("u_result.words", words),
        ("u_reduction.t_q", 6),
        *tables,
    ]


def display(memories: list[tuple[str, int]]) -> str:
    """Return lines of a bench that print the words of memories inside u_dut; i is an integer of the bench."""
    return "".join(
        f'    for (i = 0; i < {depth}; i = i + 1) $display("{path}[%0d] %b", i, u_dut.{path}[i]);\n'
        for path, depth in memories
    )


def displayed(printed: str) -> dict[str, str]:
    """Return the words that a bench printed, by their path."""
    return dict(re.findall(r"^(\S+\[\d+\]) ([01x]+)$", printed, re.MULTILINE))


def dumped(text: str, control: str) -> dict[str, str]:
    """Return the registers of u_dut in a VCD file that holds one moment, but for those of the control."""
    names, scope = {}, list[str]()
    for line in text.splitlines():
        fields = line.split()
        if line.startswith("$scope"):
            scope.append(fields[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var reg"):
            names[fields[3]] = ".".join([*scope, fields[4]])
    values = {mark: value for value, mark in re.findall(r"^b?([01x]+?) ?([!-~]+)$", text, re.MULTILINE)}
    return {
        name: values[mark]
        for mark, name in names.items()
        if mark in values and not re.search(control, name) and "bench.u_dut" in name
    }

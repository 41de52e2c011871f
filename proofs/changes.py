"""Changes of one instruction of a block, each of which a proof must refute."""

from collections.abc import Iterator
from dataclasses import replace

import iced_x86 as x86

from blocks import Block
from machine import MNEMONICS, NAMES

CODE_NAMES = {value: name for name, value in vars(x86.Code).items() if isinstance(value, int)}
# What an instruction may become: the same form of another name.
OTHERS = {
    "ADC": ("ADD", "SBB"),
    "ADD": ("ADC", "SUB"),
    "ADCX": ("ADOX",),
    "ADOX": ("ADCX",),
    "SUB": ("SBB", "ADD"),
    "SBB": ("SUB", "ADC"),
    "CMOVB": ("CMOVAE",),
    "CMOVO": ("CMOVNO",),
    "JE": ("JNE",),
    "JNE": ("JE",),
    "NEG": ("NOT",),
    "DEC": ("INC",),
    "XOR": ("OR",),
}
REGISTERS = ["rax", "rcx", "rdx", "rbx", "rbp", "rsi", "rdi", *(f"r{i}" for i in range(8, 16))]


def changes_of(block: Block) -> Iterator[tuple[str, Block]]:
    """Yield the block with each of its instructions changed in each way, with a description."""
    for ip, instruction in block.code.items():
        if MNEMONICS[instruction.mnemonic] != "nop":
            for change, changed in _changes(instruction):
                yield f"{instruction}: {change}", replace(block, code=block.code | {ip: changed})


def _changes(instruction: x86.Instruction) -> Iterator[tuple[str, x86.Instruction]]:
    yield "left out", _at(instruction, x86.Instruction.create(x86.Code.NOPD))
    form = CODE_NAMES[instruction.code]
    mnemonic = form.partition("_")[0]
    for other in OTHERS.get(mnemonic, ()):
        if code := getattr(x86.Code, form.replace(mnemonic, other, 1), None):
            changed = instruction.copy()
            changed.code = code
            yield other.lower(), changed
    for i in range(instruction.op_count):
        if instruction.op_kind(i) == x86.OpKind.REGISTER:
            yield from _other_registers(instruction, i)
        elif instruction.op_kind(i) == x86.OpKind.MEMORY:
            for offset in (-8, 8):
                changed = instruction.copy()
                changed.memory_displacement = (instruction.memory_displacement + offset) % 2**64
                yield f"offset {offset:+}", changed
    if mnemonic == "MULX":
        changed = instruction.copy()
        changed.op0_register, changed.op1_register = instruction.op1_register, instruction.op0_register
        yield "words swapped", changed


def _other_registers(instruction: x86.Instruction, i: int) -> Iterator[tuple[str, x86.Instruction]]:
    register = instruction.op_register(i)
    full = NAMES[x86.RegisterExt.full_register(register)]
    if full not in REGISTERS or NAMES[register] != full:
        return
    for step in (1, -1):
        other = REGISTERS[(REGISTERS.index(full) + step) % len(REGISTERS)]
        changed = instruction.copy()
        changed.set_op_register(i, getattr(x86.Register, other.upper()))
        yield f"{full} becomes {other}", changed


def _at(instruction: x86.Instruction, other: x86.Instruction) -> x86.Instruction:
    other.ip, other.len = instruction.ip, instruction.len
    return other

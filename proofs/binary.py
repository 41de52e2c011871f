"""Finds the blocks of MULX and ADX in the machine code of a compiled library."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import iced_x86 as x86
from elftools.elf.elffile import ELFFile

from blocks import CLAIMS, Block
from linear import RefutedError
from machine import MNEMONICS, NAMES, WORD_BYTES

MOST_BYTES = 16384  # of a block
MULX = re.compile(rb"\xc4[\x02\x22\x42\x62\x82\xa2\xc2\xe2][\x83-\xfb]\xf6", re.DOTALL)
NOPS = rb"[\x0f\x1f\x2e\x40\x44\x66\x80\x84\x90\x00]{0,31}?"
# The first bytes of the blocks, and the claims of which one must hold for them.
BEGINNINGS = {
    # push rbx; push rbp; push rdx; mov rbp, rdi
    rb"\x53\x55\x52\x48\x89\xfd": tuple(f"product_{s}" for s in range(3, 11)),
    # push rbx; push rbp; push rcx; mov rbp, rdi
    rb"\x53\x55\x51\x48\x89\xfd": tuple(f"square_{s}" for s in range(3, 11)),
    # push rbx; push rbp; push rsi; push rcx; mov rbp, rdi
    rb"\x53\x55\x56\x51\x48\x89\xfd": tuple(f"append_{s}" for s in range(3, 11)),
    # push rbx; push rbp; push rsi; push rax; mov rbp, rdx
    rb"\x53\x55\x56\x50\x48\x89\xd5": ("reduce_4", "reduce_8"),
    # push rbx; push rbp; push rax; mov rbp, rdx
    rb"\x53\x55\x50\x48\x89\xd5": (
        *("accumulate_4", "accumulate_8", "multiply_8"),
        *("accumulate_low_8", "multiply_low_8"),
    ),
    # push rbp; mov rbp, rdx; xor r8, r8
    rb"\x55\x48\x89\xd5\x4d\x31\xc0": ("accumulate_low_4",),
    # push rbx; push rbp; push rax; mov qword ptr [rdi], 0
    rb"\x53\x55\x50\x48\xc7\x07\x00\x00\x00\x00": ("first_cross_products_8",),
    # push rbx; push rbp; push rax; mov rdx, [rcx]
    rb"\x53\x55\x50\x48\x8b\x11": ("cross_products_4", "cross_products_8"),
    # push rbx; push rbp; push rax; xor ebx, ebx; xor ebp, ebp
    rb"\x53\x55\x50\x31\xdb\x31\xed": ("double_and_add_squares",),
    # test rax, rax; the padding of a loop; mov r8, [rsi + 8*rax]
    rb"\x48\x85\xc0" + NOPS + rb"\x4c\x8b\x04\xc6": ("subtract_once",),
}
# The first bytes of the blocks that are tested only: they branch on the values, which are public there.
TESTED_ONLY = (
    # push rbx; push rbp; push rdi; push rcx; mov r8, [rdi]: square_four_words
    rb"\x53\x55\x57\x51\x4c\x8b\x07",
    # push rbx; push rbp; push rdi; push rdx; push rsi; push rcx: append_four_words
    rb"\x53\x55\x57\x52\x56\x51",
    # push rbx; push rbp; push rsi; mov rdx, [rdi]: multiply_four_words
    rb"\x53\x55\x56\x48\x8b\x17",
)


@dataclass(frozen=True)
class Found:
    """A block in a library, or several with the same bytes; the claims that may hold for it."""

    block: Block
    claims: tuple[str, ...]
    addresses: tuple[int, ...]

    def prove(self) -> str:
        """Return the name of the claim that holds.

        The claims differ in the numbers of words, and no block can meet two of them.
        """
        reasons = []
        for name in self.claims:
            try:
                CLAIMS[name](self.block)
            except RefutedError as error:
                reasons.append(f"{name}: {error}")
            else:
                return f"{name}, ADX" if self.block.has("adcx") else name
        raise RefutedError("; ".join(reasons))


class Library:
    """The machine code of a compiled library."""

    def __init__(self, path: Path) -> None:
        """Read the code, and find the blocks in it."""
        with path.open("rb") as file:
            section = ELFFile(file).get_section_by_name(".text")
            if section is None:
                raise RefutedError(f"{path.name} has no machine code")
            self._text, self._base = section.data(), section["sh_addr"]
        self.found = list(self._find())

    def _find(self) -> Iterator[Found]:
        """Yield the blocks; those with the same bytes are one."""
        for beginning, claims in BEGINNINGS.items():
            addresses: dict[bytes, list[int]] = {}
            for match in re.finditer(beginning, self._text, re.DOTALL):
                block = self._block(match.start())
                code = self._text[match.start() : block.end - self._base]
                addresses.setdefault(code, []).append(block.start)
            for same in addresses.values():
                yield Found(self._block(same[0] - self._base), claims, tuple(same))

    def _block(self, offset: int) -> Block:
        """Return the block that begins there.

        It ends where the stack is again what it was or, if it has none, behind its second loop.
        """
        decoder = x86.Decoder(64, self._text[offset : offset + MOST_BYTES], ip=self._base + offset)
        code: dict[int, x86.Instruction] = {}
        depth = loops = 0
        for instruction in decoder:
            code[instruction.ip] = instruction
            depth += _pushed(instruction)
            loops += MNEMONICS[instruction.mnemonic] == "jne"
            if depth == 0 and (MNEMONICS[instruction.mnemonic] == "pop" or loops == 2):
                return Block(code, self._base + offset, instruction.next_ip)
        raise RefutedError(f"the block at {self._base + offset:#x} does not end")

    def tested_only(self) -> Iterator[Block]:
        """Yield the blocks of which nothing is proved."""
        for beginning in TESTED_ONLY:
            for match in re.finditer(beginning, self._text, re.DOTALL):
                yield self._block(match.start())

    def products_outside(self) -> list[int]:
        """Return the addresses of all MULX that are in none of the blocks, proved or tested only."""
        inside = {address for block in self.tested_only() for address in block.code}
        inside |= {
            instruction.ip - found.block.start + address
            for found in self.found
            for instruction in found.block.code.values()
            for address in found.addresses
        }
        return [at for match in MULX.finditer(self._text) if (at := self._base + match.start()) not in inside]


def _pushed(instruction: x86.Instruction) -> int:
    """Return the number of words that an instruction pushes on the stack."""
    name = MNEMONICS[instruction.mnemonic]
    if name == "lea" and NAMES[instruction.op0_register] == "rsp":
        return -instruction.memory_displacement // WORD_BYTES
    return {"push": 1, "pop": -1}.get(name, 0)

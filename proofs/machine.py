"""Symbolic execution of machine code of x86-64 over the integers.

Words, addresses and flags are linear expressions; addresses are sums of named addresses and constants. Every
load and store must lie within a declared region,
every flag that is read must have been set by a known rule, and no branch and no address may depend on a word.
What is not known here refutes the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import iced_x86 as x86

from linear import Facts, Linear, RefutedError, W, linear

NAMES = {value: name.lower() for name, value in vars(x86.Register).items() if isinstance(value, int)}
MNEMONICS = {value: name.lower() for name, value in vars(x86.Mnemonic).items() if isinstance(value, int)}
WORD_BYTES = 8
MOST_STEPS = 5000
STACK = "rsp"  # the address at the top of the stack before the code


@dataclass(frozen=True)
class Region:
    """Words in memory. Regions of different names do not overlap, except where both are only read."""

    base: Linear
    words: int
    is_written: bool = False


@dataclass(frozen=True)
class IsZero:
    """A zero flag: it tells whether an expression in addresses is 0."""

    value: Linear


@dataclass
class Machine:
    """The state between two instructions, and what is known of the numbers in it."""

    code: dict[int, x86.Instruction]
    facts: Facts
    addresses: set[str]
    regions: list[Region]
    registers: dict[str, Linear]
    decisions: Iterator[bool] = field(default_factory=lambda: iter(()))
    memory: dict[frozenset[tuple[str, int]], Linear] = field(default_factory=dict)
    carry: Linear | None = None
    overflow: Linear | None = None  # as ADOX uses it: a second carry
    zero: IsZero | None = None
    ip: int = 0

    def run(self, start: int, stop: int) -> None:
        """Execute from an address to another."""
        self.ip = start
        for _ in range(MOST_STEPS):
            instruction = self.code.get(self.ip)
            if instruction is None:
                raise RefutedError(f"there is no instruction at {self.ip:#x}")
            self.ip = instruction.next_ip
            name = MNEMONICS[instruction.mnemonic]
            rule = getattr(self, f"_{name}", None)
            if rule is None:
                raise RefutedError(f"no rule for {instruction}")
            rule(instruction)
            if self.ip == stop:
                return
        raise RefutedError("the code does not end")

    def decide(self) -> bool:
        """Return the next decision of those on which the proof depends."""
        decision = next(self.decisions, None)
        if decision is None:
            raise RefutedError("a branch or a choice too many")
        return decision

    # ---- operands

    def address(self, instruction: x86.Instruction) -> Linear:
        """Return the address of the operand in memory."""
        if instruction.segment_prefix != x86.Register.NONE:
            raise RefutedError(f"a segment in {instruction}")
        displacement = instruction.memory_displacement
        total = linear(displacement - 2**64 if displacement >= 2**63 else displacement)
        if instruction.memory_base != x86.Register.NONE:
            total += self.register(NAMES[instruction.memory_base])
        if instruction.memory_index != x86.Register.NONE:
            total += self.register(NAMES[instruction.memory_index]) * instruction.memory_index_scale
        return self.facts.resolve(total)

    def register(self, name: str) -> Linear:
        """Return the content of a register of 64 bits."""
        if name not in self.registers:
            raise RefutedError(f"{name} is read, but nothing is known of it")
        return self.registers[name]

    def place(self, address: Linear, *, is_written: bool) -> frozenset[tuple[str, int]]:
        """Return the key of a word in memory; it must lie within a region."""
        if not address.variables() <= self.addresses:
            raise RefutedError("an address depends on a word")
        if self._is_on_stack(address):
            return address.key()
        for region in self.regions:
            offset = (address - region.base).constant()
            if offset is not None and offset % WORD_BYTES == 0 and 0 <= offset < WORD_BYTES * region.words:
                if is_written and not region.is_written:
                    raise RefutedError("a store to words that are only read")
                return address.key()
        raise RefutedError(f"an access to {address.terms}, which is in no region")

    def _is_on_stack(self, address: Linear) -> bool:
        offset = (address - self.registers["rsp"]).constant()
        depth = (linear_address(STACK) - address).constant()
        return offset is not None and depth is not None and offset >= 0 and depth >= WORD_BYTES

    def load(self, address: Linear) -> Linear:
        """Return a word in memory."""
        key = self.place(address, is_written=False)
        if key not in self.memory:
            raise RefutedError("a load of a word that was not set")
        return self.facts.resolve(self.memory[key])

    def store(self, address: Linear, value: Linear) -> None:
        """Set a word in memory."""
        self.memory[self.place(address, is_written=True)] = value

    def read(self, instruction: x86.Instruction, i: int) -> Linear:
        """Return the value of operand i: a word, or an address."""
        kind = instruction.op_kind(i)
        if kind == x86.OpKind.REGISTER:
            name = NAMES[instruction.op_register(i)]
            return self.facts.resolve(self.register(_of_64_bits(name, instruction)))
        if kind == x86.OpKind.MEMORY:
            if x86.MemorySizeExt.size(instruction.memory_size) != WORD_BYTES:
                raise RefutedError(f"an operand of another size in {instruction}")
            return self.load(self.address(instruction))
        return linear(instruction.immediate(i) % W)

    def write(self, instruction: x86.Instruction, i: int, value: Linear) -> None:
        """Set operand i."""
        if instruction.op_kind(i) == x86.OpKind.REGISTER:
            self.registers[_of_64_bits(NAMES[instruction.op_register(i)], instruction)] = value
        else:
            self.store(self.address(instruction), value)

    def flag(self, flag: Linear | None) -> Linear:
        """Return a carry that is read."""
        if flag is None:
            raise RefutedError("a flag is read that no rule has set")
        return self.facts.resolve(flag)

    def forget_flags(self) -> None:
        """Know nothing of the flags."""
        self.carry = self.overflow = self.zero = None

    def _is_address(self, value: Linear) -> bool:
        return bool(value.variables() & self.addresses)

    # ---- instructions

    def _mov(self, instruction: x86.Instruction) -> None:
        self.write(instruction, 0, self.read(instruction, 1))

    def _nop(self, instruction: x86.Instruction) -> None:
        pass

    def _lea(self, instruction: x86.Instruction) -> None:
        self.write(instruction, 0, self.address(instruction))

    def _push(self, instruction: x86.Instruction) -> None:
        value = self.read(instruction, 0)
        self.registers["rsp"] = self.registers["rsp"] - WORD_BYTES
        self.store(self.registers["rsp"], value)

    def _pop(self, instruction: x86.Instruction) -> None:
        self.write(instruction, 0, self.load(self.registers["rsp"]))
        self.registers["rsp"] = self.registers["rsp"] + WORD_BYTES

    def _xor(self, instruction: x86.Instruction) -> None:
        if (
            instruction.op_kind(1) != x86.OpKind.REGISTER
            or instruction.op0_register != instruction.op1_register
        ):
            raise RefutedError(f"no rule for {instruction}")
        self.write(instruction, 0, linear(0))
        self.forget_flags()
        self.carry = self.overflow = linear(0)

    def _mulx(self, instruction: x86.Instruction) -> None:
        x, y = self.facts.resolve(self.register("rdx")), self.read(instruction, 2)
        if self._is_address(x) or self._is_address(y):
            raise RefutedError("a product of addresses")
        if y.key() in self.facts.negative_inverses:
            low, high = self.facts.first_of_two_quotients(x)
            self.write(instruction, 1, low)
            self.write(instruction, 0, high)
            return
        product = self.facts.product(x, y)
        high = self.facts.high_word(product, x, y)
        low = self.facts.word(product - high * W)
        self.write(instruction, 1, low)
        self.write(instruction, 0, high)

    def _imul(self, instruction: x86.Instruction) -> None:
        lowest, n0 = self.read(instruction, 0), self.read(instruction, 1)
        if instruction.op_count != 2 or self._is_address(lowest):
            raise RefutedError(f"no rule for {instruction}")
        upper = self.facts.upper_inverse
        if upper is not None and n0 == upper[0]:
            word = self.facts.part_by_n1(lowest)
        elif n0.key() not in self.facts.negative_inverses:
            raise RefutedError(f"no rule for {instruction}")
        elif self.facts.has_first_of_two():
            word = self.facts.part_by_n0(lowest)
        else:
            word = self.facts.quotient(lowest, self.facts.negative_inverses[n0.key()])
        self.write(instruction, 0, word)
        self.forget_flags()

    def _sum(self, instruction: x86.Instruction, carry: Linear) -> Linear:
        x, y = self.read(instruction, 0), self.read(instruction, 1)
        if self._is_address(x) or self._is_address(y):
            raise RefutedError("a sum of addresses with carry")
        word, carry = self.facts.split(x + y + carry)
        self.write(instruction, 0, self.facts.sum_or_quotient(word))
        return carry

    def _add(self, instruction: x86.Instruction) -> None:
        x, y = self.read(instruction, 0), self.read(instruction, 1)
        if self._is_address(x) and y.constant() is not None:
            self.write(instruction, 0, x + y)
            self.forget_flags()
            return
        carry = self._sum(instruction, linear(0))
        self.forget_flags()
        self.carry = carry

    def _adc(self, instruction: x86.Instruction) -> None:
        carry = self._sum(instruction, self.flag(self.carry))
        self.forget_flags()
        self.carry = carry

    def _adcx(self, instruction: x86.Instruction) -> None:
        self.carry = self._sum(instruction, self.flag(self.carry))

    def _adox(self, instruction: x86.Instruction) -> None:
        self.overflow = self._sum(instruction, self.flag(self.overflow))

    def _difference(self, x: Linear, y: Linear, borrow: Linear) -> Linear:
        if self._is_address(x) or self._is_address(y):
            raise RefutedError("a difference of addresses with borrow")
        word, carry = self.facts.split(x - y - borrow, is_difference=True)
        self.forget_flags()
        self.carry = carry * -1
        return word

    def _sub(self, instruction: x86.Instruction) -> None:
        x, y = self.read(instruction, 0), self.read(instruction, 1)
        self.write(instruction, 0, self._difference(x, y, linear(0)))

    def _sbb(self, instruction: x86.Instruction) -> None:
        x, y = self.read(instruction, 0), self.read(instruction, 1)
        self.write(instruction, 0, self._difference(x, y, self.flag(self.carry)))

    def _neg(self, instruction: x86.Instruction) -> None:
        self.write(instruction, 0, self._difference(linear(0), self.read(instruction, 0), linear(0)))

    def _dec(self, instruction: x86.Instruction) -> None:
        value = self.read(instruction, 0)
        if not self._is_address(value):
            raise RefutedError("a word is counted down")
        self.write(instruction, 0, value - 1)
        self.overflow, self.zero = None, IsZero(value - 1)

    def _cmp(self, instruction: x86.Instruction) -> None:
        x, y = self.read(instruction, 0), self.read(instruction, 1)
        if not (self._is_address(x) or self._is_address(y)):
            raise RefutedError("a comparison of words")
        self.forget_flags()
        self.zero = IsZero(x - y)
        if y.constant() == 0:
            self.carry = linear(0)

    def _test(self, instruction: x86.Instruction) -> None:
        if self.read(instruction, 0) != self.read(instruction, 1):
            raise RefutedError(f"no rule for {instruction}")
        self.forget_flags()
        self.carry = self.overflow = linear(0)

    def _cmovb(self, instruction: x86.Instruction) -> None:
        self._choose(instruction, self.carry)

    def _cmovo(self, instruction: x86.Instruction) -> None:
        self._choose(instruction, self.overflow)

    def _choose(self, instruction: x86.Instruction, flag: Linear | None) -> None:
        chosen = self.read(instruction, 1)
        bit = self.flag(flag)
        if bit.constant() is None:
            self.facts.set_zero(bit - int(self.decide()))
            bit = self.facts.resolve(bit)
        if bit.constant() == 1:
            self.write(instruction, 0, chosen)

    def _branch(self, instruction: x86.Instruction, *, where_zero: bool) -> None:
        if self.zero is None:
            raise RefutedError("a branch on a flag that no rule has set")
        if not self.zero.value.variables() <= self.addresses:
            raise RefutedError("a branch depends on a word")
        constant = self.zero.value.constant()
        is_zero = self.decide() if constant is None else constant == 0
        if is_zero == where_zero:
            self.ip = instruction.near_branch_target

    def _je(self, instruction: x86.Instruction) -> None:
        self._branch(instruction, where_zero=True)

    def _jne(self, instruction: x86.Instruction) -> None:
        self._branch(instruction, where_zero=False)


def _of_64_bits(name: str, instruction: x86.Instruction) -> str:
    """Return the register of 64 bits.

    One of 32 bits may only be set to a constant, which clears the upper half.
    """
    full = NAMES[x86.RegisterExt.full_register(getattr(x86.Register, name.upper()))]
    if full != name:
        is_constant = (
            MNEMONICS[instruction.mnemonic] == "mov" and instruction.op_kind(1) == x86.OpKind.IMMEDIATE32
        )
        is_zero = (
            MNEMONICS[instruction.mnemonic] == "xor" and instruction.op0_register == instruction.op1_register
        )
        if (
            not (is_constant or is_zero)
            or name != NAMES[x86.RegisterExt.full_register32(instruction.op0_register)]
        ):
            raise RefutedError(f"a part of a register in {instruction}")
    return full


def linear_address(name: str) -> Linear:
    """Return a named address."""
    return Linear({name: 1})


def decode(code: bytes, address: int, count: int) -> dict[int, x86.Instruction]:
    """Return the instructions at an address, by their own addresses; at most `count` of them."""
    decoder = x86.Decoder(64, code, ip=address)
    instructions: dict[int, x86.Instruction] = {}
    for instruction in decoder:
        if len(instructions) == count or not instruction:
            break
        instructions[instruction.ip] = instruction
    return instructions

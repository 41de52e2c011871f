"""What the blocks of `crates/monpro/src/arch/x86_64/mulx/` compute, proved from their machine code.

Each claim executes a block symbolically and shows an equation between the numbers in memory and in registers
before and after it, for all words. A loop over a variable number of words is proved by induction: from a
state at the head of the loop that meets the invariant, through the body, to a state that meets it again, and
from there to the end. Each claim also shows that the block stays within its operands, that no branch and no
address depends on a word, and that the stack and the registers that `asm!` cannot name are what they were.

Assumed: the registers hold what the `asm!` of the block passes in them; the slices do not overlap, except
where both are only read, as Rust's references guarantee; addresses do not wrap around.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import iced_x86 as x86

from linear import N0, N1, Facts, Linear, RefutedError, W, linear, number
from machine import MNEMONICS, NAMES, STACK, WORD_BYTES, Machine, Region, linear_address

Code = dict[int, x86.Instruction]
PRESERVED = ("rbx", "rbp")  # of the registers that the blocks use, those that asm! cannot name
WINDOW_8 = ("r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")
CARRY = "carry before"


@dataclass(frozen=True)
class Block:
    """The machine code of a block: instructions by address, the first address, and the one behind it."""

    code: Code
    start: int
    end: int

    def loop_heads(self, count: int) -> list[int]:
        """Return the addresses to which the block jumps back, in order; there must be so many."""
        heads = sorted({i.near_branch_target for i in self.code.values() if _jumps_back(i)})
        if len(heads) != count:
            raise RefutedError(f"{len(heads)} loops instead of {count}")
        return heads

    def has(self, mnemonic: str) -> bool:
        """Return whether the block has an instruction of this name."""
        return any(MNEMONICS[instruction.mnemonic] == mnemonic for instruction in self.code.values())

    def behind_loops(self) -> list[int]:
        """Return the addresses behind the jumps back, in order."""
        return sorted(i.next_ip for i in self.code.values() if _jumps_back(i))


def _jumps_back(instruction: x86.Instruction) -> bool:
    return MNEMONICS[instruction.mnemonic] == "jne" and instruction.near_branch_target < instruction.ip


class Proof:
    """An execution with named inputs, whose results are compared with what they should be."""

    def __init__(self, block: Block, *, decisions: Sequence[bool] = ()) -> None:
        """Begin with the registers that a block must preserve, and an empty stack."""
        self.block = block
        self.facts = Facts()
        self.regions: list[Region] = []
        self.addresses = {STACK}
        self.saved = {name: self.facts.variable(f"{name} before", W - 1) for name in PRESERVED}
        self.machine = Machine(
            block.code, self.facts, self.addresses, self.regions, dict(self.saved), iter(decisions)
        )
        self.machine.registers["rsp"] = linear_address(STACK)

    def address(self, name: str) -> Linear:
        """Return a new named address."""
        self.addresses.add(name)
        return linear_address(name)

    def number(self, base: Linear, name: str, count: int, *, is_written: bool = False) -> list[Linear]:
        """Return the words of a number in memory."""
        words = self.facts.words(name, count)
        self.regions.append(Region(base, count, is_written))
        for i, word in enumerate(words):
            self.machine.memory[(base + WORD_BYTES * i).key()] = word
        return words

    def output(self, base: Linear, count: int) -> None:
        """Declare words that are written, and hold nothing before."""
        self.regions.append(Region(base, count, is_written=True))

    @property
    def registers(self) -> dict[str, Linear]:
        """The registers of which something is known."""
        return self.machine.registers

    def push(self, *values: Linear) -> None:
        """Push values on the stack."""
        for value in values:
            self.registers["rsp"] -= WORD_BYTES
            self.machine.store(self.registers["rsp"], value)

    def show_stack(self, values: Sequence[Linear]) -> None:
        """Show what the stack holds, the top first."""
        top = linear_address(STACK) - WORD_BYTES * len(values)
        self.show_register("rsp", top)
        for word, value in zip(self.words(top, len(values)), values, strict=True):
            self.show("the stack", word, value)

    def set(self, **registers: Linear) -> None:
        """Set registers."""
        self.machine.registers.update(registers)

    def run(self, start: int, stop: int) -> None:
        """Execute from an address to another."""
        self.machine.run(start, stop)

    def words(self, base: Linear, count: int) -> list[Linear]:
        """Return words in memory."""
        return [self.machine.load(base + WORD_BYTES * i) for i in range(count)]

    def window(self, names: Sequence[str]) -> list[Linear]:
        """Return the words in these registers."""
        return [self.machine.register(name) for name in names]

    def show(self, what: str, left: Linear, right: Linear, *, modulus: int | None = None) -> None:
        """Show an equation, or a congruence."""
        self.facts.prove_zero(left - right, what, modulus=modulus)

    def show_at_most(self, what: str, left: Linear, right: Linear | int) -> None:
        """Show left ≤ right."""
        self.facts.prove_at_least_zero(linear(right) - left, what)

    def show_register(self, name: str, value: Linear) -> None:
        """Show what a register holds."""
        self.show(name, self.machine.register(name), value)

    def show_end(self, **unchanged: Linear) -> None:
        """Show that the stack is balanced, and that these and the preserved registers are what they were."""
        for name, value in (self.saved | {"rsp": linear_address(STACK)} | unchanged).items():
            self.show_register(name, value)

    def times(self, x: Sequence[Linear], y: Sequence[Linear]) -> Linear:
        """Return x·y."""
        total = linear(0)
        for i, j in itertools.product(range(len(x)), range(len(y))):
            total += self.facts.product(x[i], y[j]) * W ** (i + j)
        return total


# ---- short products


@dataclass(frozen=True)
class Short:
    """A product or a run of squares of s words.

    First T = x·y or x², in memory; its lowest s words are also in registers, the window a. Then each step
    finds one or two words q, with W·a' = a + q·n or W²·a' = a + q·n, where a' is a window of s words, too.
    All steps together: R·a' = T mod R + q·n with a q < R. So a' and the upper words of T have a sum
    u < (n·R + R·n)/R = 2·n, since T < n·R. The end stores u or u − n, below n.

    By ADX, the difference of the upper words of T and n is computed behind the first step. In a run of
    squares, x is also in the registers in which the end leaves it.
    """

    s: int
    squares: bool
    stack: tuple[str, ...] = ("z",)  # the addresses on it behind rbx and rbp, between the parts of the block

    # The words of the workspace at which its parts begin, and the word to which rbp points.
    N0, COUNT, N, X, T, WORDS, MIDDLE = 0, 2, 3, 13, 23, 43, 16

    @property
    def order(self) -> tuple[str, ...]:
        """The registers of the window, and two others, or one."""
        return (*WINDOW_8, "rbx", "rdi", "rcx")[: self.s + 2]

    @property
    def last_order(self) -> Sequence[str]:
        """The same behind all steps."""
        order: Sequence[str] = self.order
        quotients = len(order) - self.s
        for done in range(0, self.s, quotients):
            order = _rotated(order, self.s, min(quotients, self.s - done))
        return order

    def word(self, i: int) -> Linear:
        """Return the address of a word of the workspace."""
        return linear_address("workspace") + WORD_BYTES * i

    def begin(self, block: Block, decisions: Sequence[bool] = ()) -> tuple[Proof, list[Linear]]:
        """Return a proof with the workspace, in which n, n0 and n1 are known, and n."""
        proof = Proof(block, decisions=decisions)
        proof.address("workspace")
        proof.output(self.word(0), self.WORDS)
        n = proof.facts.words("n", self.s)
        self.set(proof, self.N, n)
        self.set(proof, self.N0, proof.facts.negative_inverse_of_two_words(n))
        return proof, n

    def resume(self, proof: Proof) -> None:
        """Set the registers and the stack as they are between the parts of the block."""
        proof.machine.forget_flags()
        proof.registers.clear()
        proof.set(rsp=linear_address(STACK), rbp=self.word(self.MIDDLE))
        proof.push(proof.saved["rbx"], proof.saved["rbp"], *(proof.address(name) for name in self.stack))

    def show_kept(self, proof: Proof, n: Sequence[Linear]) -> None:
        """Show that the stack, rbp and the constants are what they were."""
        addresses = [linear_address(name) for name in reversed(self.stack)]
        proof.show_stack([*addresses, proof.saved["rbp"], proof.saved["rbx"]])
        proof.show_register("rbp", self.word(self.MIDDLE))
        kept = [*n, Linear({N0: 1}), Linear({N1: 1})]
        places = [*range(self.N, self.N + self.s), self.N0, self.N0 + 1]
        for i, value in zip(places, kept, strict=True):
            proof.show("the constants", proof.machine.load(self.word(i)), value)

    def set(self, proof: Proof, i: int, words: Sequence[Linear]) -> None:
        """Set words of the workspace."""
        for k, word in enumerate(words):
            proof.machine.memory[self.word(i + k).key()] = word

    def show_copy(self, block: Block, start: int) -> None:
        """Show that a run of squares begins with a copy of x, which may be in the place of the result."""
        for place in ("x", "z"):
            proof, n = self.begin(block)
            proof.set(rdi=self.word(self.MIDDLE), rsi=proof.address(place), rcx=proof.address("z"))
            x = proof.number(linear_address(place), "x", self.s)
            proof.run(block.start, start)
            self.show_factor(proof, x)
            self.show_kept(proof, n)

    def factors(self, proof: Proof) -> tuple[list[Linear], list[Linear]]:
        """Set the registers and words with which the rows of T begin; return the factors x and y."""
        if self.squares:
            self.resume(proof)
            x = proof.facts.words("x", self.s)
            self.set(proof, self.X, x)
            proof.set(**dict(zip(self.last_order, x, strict=False)))
            return x, x
        addresses = {name: proof.address(name) for name in ("x", "y", "z")}
        x, y = (proof.number(addresses[name], name, self.s) for name in ("x", "y"))
        proof.set(rdi=self.word(self.MIDDLE), rsi=addresses["x"], rcx=addresses["y"], rdx=addresses["z"])
        return x, y

    def show_rows(self, block: Block, start: int, stop: int) -> None:
        """Show T = x·y, or T = x²."""
        proof, n = self.begin(block)
        x, y = self.factors(proof)
        proof.run(start, stop)
        upper = proof.words(self.word(self.T + self.s), self.s)
        proof.show("T = x·y", number([*proof.window(self.order[: self.s]), *upper]), proof.times(x, y))
        self.show_kept(proof, n)

    def show_factor(self, proof: Proof, x: Sequence[Linear]) -> None:
        """Show that x is in the workspace and in the registers."""
        self.show_words(proof, self.X, x)
        for name, word in zip(self.last_order, x, strict=False):
            proof.show_register(name, word)

    def show_words(self, proof: Proof, i: int, words: Sequence[Linear]) -> None:
        """Show what words of the workspace are."""
        for word, value in zip(proof.words(self.word(i), len(words)), words, strict=True):
            proof.show("a copy", word, value)

    def show_difference(self, block: Block, order: Sequence[str], start: int, stop: int) -> None:
        """Show that the difference leaves the window, the upper words of T and the constants."""
        proof, n = self.begin(block)
        self.resume(proof)
        a, upper = proof.facts.words("a", self.s), proof.facts.words("t", self.s)
        self.set(proof, self.T + self.s, upper)
        proof.set(**dict(zip(order, a, strict=False)))
        proof.run(start, stop)
        for name, word in zip(order, a, strict=False):
            proof.show_register(name, word)
        self.show_words(proof, self.T + self.s, upper)
        self.show_kept(proof, n)

    def show_step(self, block: Block, order: Sequence[str], count: int, start: int, stop: int) -> None:
        """Show what a step does that finds `count` words of q, and that it stores nothing."""
        proof, n = self.begin(block)
        self.resume(proof)
        a = proof.facts.words("a", self.s)
        proof.set(**dict(zip(order, a, strict=False)))
        before = dict(proof.machine.memory)
        proof.run(start, stop)
        if len(proof.facts.quotients) != count:
            raise RefutedError("a step without its quotients")
        window = proof.window(_rotated(order, self.s, count)[: self.s])
        right = number(a) + proof.times(proof.facts.quotients, n)
        proof.show("W^count·a' = a + q·n", number(window) * W**count, right)
        if before.keys() != proof.machine.memory.keys():
            raise RefutedError("a step stores something")
        self.show_kept(proof, n)

    def show_end(self, block: Block, parts: "Parts", *, is_below: bool, is_last: bool) -> None:
        """Show that the end stores u, or u − n if u is not below n."""
        is_chosen = is_below if parts.difference is None else not is_below
        proof, n = self.begin(block, [is_chosen, *([is_last] if self.squares else [])])
        self.resume(proof)
        z, count = linear_address("z"), proof.address("count")
        proof.output(z, self.s)
        a, upper = proof.facts.words("a", self.s), proof.facts.words("t", self.s)
        self.set(proof, self.T + self.s, upper)
        self.set(proof, self.COUNT, [count])
        if parts.difference is not None:
            proof.run(parts.difference, parts.steps[1][0])
            self.resume(proof)
        u = number(a) + number(upper)
        proof.facts.assume_at_least_zero(number(n) * 2 - 1 - u)
        proof.set(**dict(zip(self.last_order, a, strict=False)))
        if self.squares and not is_last:
            proof.run(parts.end, block.loop_heads(1)[0])
            result = proof.words(self.word(self.X), self.s)
            self.show_factor(proof, result)
            proof.show("the count", proof.machine.load(self.word(self.COUNT)), count - 1)
            self.show_kept(proof, n)
        else:
            proof.run(parts.end, block.end)
            result = self.result(proof, n)
        lost = proof.facts.resolve(u - number(result) - (linear(0) if is_below else number(n)))
        proof.show_at_most("z is not above u, or u − n", lost * -1, 0)
        proof.show_at_most("z is not below u, or u − n", lost, 0)
        proof.show_at_most("z < n", number(result), number(n) - 1)

    def result(self, proof: Proof, _n: Sequence[Linear]) -> list[Linear]:
        """Return the words of the result at the end of the block."""
        words = proof.words(linear_address("z"), self.s)
        proof.show_end()
        return words

    def show(self, block: Block) -> None:
        """Show all parts."""
        parts = _parts(block)
        if sum(count for _, count in parts.steps) != self.s:
            raise RefutedError(f"{parts.steps} instead of {self.s} quotients")
        start = block.start
        if self.squares:
            (start,) = block.loop_heads(1)
            self.show_copy(block, start)
        self.show_rows(block, start, parts.steps[0][0])
        order: Sequence[str] = self.order
        stops = [*(first for first, _ in parts.steps[1:]), parts.end]
        if parts.difference is not None:
            stops[0] = parts.difference
            self.show_difference(
                block, _rotated(order, self.s, parts.steps[0][1]), parts.difference, parts.steps[1][0]
            )
        for (first, count), stop in zip(parts.steps, stops, strict=True):
            self.show_step(block, order, count, first, stop)
            order = _rotated(order, self.s, count)
        for is_below in (False, True):
            for is_last in (False, True) if self.squares else (True,):
                self.show_end(block, parts, is_below=is_below, is_last=is_last)


@dataclass(frozen=True)
class SquaresBefore(Short):
    """A run of squares of z that leaves its result in the workspace, where a product follows."""

    squares: bool = True
    stack: tuple[str, ...] = ("z", "y")

    def show_copy(self, block: Block, start: int) -> None:
        """Show that the run begins with a copy of z."""
        proof, n = self.begin(block)
        proof.set(rdi=self.word(self.MIDDLE), rsi=proof.address("z"), rcx=proof.address("y"))
        z = proof.number(linear_address("z"), "z", self.s)
        proof.run(block.start, start)
        self.show_factor(proof, z)
        self.show_kept(proof, n)

    def result(self, proof: Proof, n: Sequence[Linear]) -> list[Linear]:
        """Return the words of the result behind the loop."""
        self.show_kept(proof, n)
        return proof.words(self.word(self.X), self.s)


@dataclass(frozen=True)
class ProductBehind(Short):
    """The product with y, whose address is on the stack, of the number that squares left in the workspace."""

    squares: bool = False

    def factors(self, proof: Proof) -> tuple[list[Linear], list[Linear]]:
        """Set the registers and words that the squares leave."""
        self.resume(proof)
        proof.push(proof.address("y"))
        x = proof.facts.words("x", self.s)
        self.set(proof, self.X, x)
        return x, proof.number(linear_address("y"), "y", self.s)


def append(block: Block, s: int) -> None:
    """Show z = z^(2^count)·y·R^(−2^count) mod n: a run of squares, behind whose loop the product begins."""
    block.loop_heads(1)
    behind = block.behind_loops()[0]
    squares = {ip: instruction for ip, instruction in block.code.items() if ip < behind}
    product = {ip: instruction for ip, instruction in block.code.items() if ip >= behind}
    SquaresBefore(s).show(Block(squares, block.start, behind))
    ProductBehind(s).show(Block(product, behind, block.end))


def _rotated(order: Sequence[str], s: int, count: int) -> tuple[str, ...]:
    """Return the registers of the window after `count` steps, and the others, one step for each word of q."""
    window, others = list(order[:s]), list(order[s:])
    if count == 1:
        return (*window[1:], others[0], window[0], *others[1:])
    return (*window[2:], *others, *window[:2])


@dataclass(frozen=True)
class Parts:
    """Where the parts of a reduction begin: the steps, each with its number of quotients, and the end.

    By ADX, a difference is computed between the first two steps.
    """

    steps: list[tuple[int, int]]
    difference: int | None
    end: int


def _parts(block: Block) -> Parts:
    """Return the parts of a reduction.

    A step begins with a word that comes into rdx and is multiplied by n0. The end begins with a 0, to which
    sums with words of memory follow; before it come the differences that begin in the same way.
    """
    steps: list[tuple[int, int]] = []
    begun: dict[str, int] = {}
    ordered = sorted(block.code.items())
    for (ip, instruction), (_, second), (_, third) in zip(ordered, ordered[1:], ordered[2:], strict=False):
        name, following = MNEMONICS[instruction.mnemonic], MNEMONICS[second.mnemonic]
        loads = name == "mov" and NAMES[instruction.op0_register] == "rdx"
        if loads and following in {"mulx", "imul"} and _is_n0(second):
            steps.append((ip, 2 if following == "mulx" else 1))
        if steps and name == "xor" and following == "mov":
            begun.setdefault(MNEMONICS[third.mnemonic], ip)
        elif steps and name == "xor" and second.op1_kind == x86.OpKind.MEMORY:
            begun.setdefault(following, ip)
    end = begun.get("adox", begun.get("adc"))
    if not steps or end is None:
        raise RefutedError("the steps of a reduction are not found")
    return Parts(steps, begun.get("sbb"), end)


def _is_n0(instruction: x86.Instruction) -> bool:
    displacement = WORD_BYTES * (Short.N0 - Short.MIDDLE)
    return _base(instruction) == "rbp" and instruction.memory_displacement % 2**64 == displacement % 2**64


def _base(instruction: x86.Instruction) -> str:
    return NAMES[instruction.memory_base]


# ---- rows


@dataclass(frozen=True)
class Rows:
    """A loop of four rows: t becomes the lowest words of window + t + x·y, and the window the words above.

    The window has one word for each of x; a register above it is 0 at the head of the loop, or anything by
    ADX, where a row clears it. With the carry flag there, it is U = window + carry < W^width, and

      t'[0..4] + W⁴·U' = U + t[0..4] + x·y[0..4],

    where t counts as 0 in rows that are first. So U + Σ words of t grows by x·y.
    """

    window: tuple[str, ...]
    top: str
    is_first: bool

    def show(self, block: Block, head: int, finish: "Finish") -> None:
        """Show that the body of the loop keeps the invariant, and that its end finishes the block."""
        for is_last in (False, True):
            proof = Proof(block, decisions=[is_last])
            t, x, y, count = (proof.address(name) for name in ("t", "x", "y", "count"))
            x_words = proof.number(x, "x", len(self.window))
            y_words = proof.number(y, "y", 4)
            t_words = proof.number(t, "t", 4, is_written=True)
            facts, machine = proof.facts, proof.machine
            words = facts.words("a", len(self.window))
            carry = facts.variable("carry", 1) if self.has_carry(block) else linear(0)
            facts.assume_at_least_zero(linear(W ** len(words) - 1) - number(words) - carry)
            machine.carry = carry
            proof.set(**dict(zip(self.window, words, strict=True)))
            proof.set(**{self.top: facts.variable("top", W - 1) if block.has("adcx") else linear(0)})
            proof.set(rdi=t, rcx=x, rbp=y)
            finish.push(proof, count)
            right = number(words) + carry + proof.times(x_words, y_words)
            right += linear(0) if self.is_first else number(t_words)
            if is_last:
                finish.show(proof, self, t, right)
            else:
                proof.run(head, head)
                left = number(proof.words(t, 4)) + self.invariant(proof) * W**4
                proof.show("t' + W⁴·U' = U + t + x·y", left, right)
                for name, value in {"rdi": t + 32, "rbp": y + 32, "rcx": x}.items():
                    proof.show_register(name, value)
                finish.show_stack(proof, count - 1)

    def has_carry(self, block: Block) -> bool:
        """Return whether the carry flag may be 1 at the head: not by ADX, nor where t counts as 0."""
        return not (self.is_first or block.has("adcx"))

    def invariant(self, proof: Proof) -> Linear:
        """Return U at the head, after showing that it is below its bound and, by ADC, the top register 0."""
        if not proof.block.has("adcx"):
            proof.show_register(self.top, linear(0))
        carry = proof.machine.flag(proof.machine.carry)
        if not self.has_carry(proof.block):
            proof.show("no carry", carry, linear(0))
        total = number(proof.window(self.window)) + carry
        proof.show_at_most("U < W^width", total, W ** len(self.window) - 1)
        return total


@dataclass(frozen=True)
class Finish:
    """The end of a block of rows: the window is stored above the last rows.

    A block that reduces also adds the words of t there, and a carry, and returns a carry.
    """

    reduces: bool
    preserves_rcx: bool

    def push(self, proof: Proof, count: Linear) -> None:
        """Set the stack as the beginning of the block leaves it."""
        saved = [proof.saved["rbx"], proof.saved["rbp"]]
        if self.reduces:
            saved.append(proof.facts.variable(CARRY, 1))
        proof.push(*saved, count)

    def show_stack(self, proof: Proof, count: Linear) -> None:
        """Show that the stack is what `push` sets."""
        carry = [Linear({CARRY: 1})] if self.reduces else []
        proof.show_stack([count, *carry, proof.saved["rbp"], proof.saved["rbx"]])

    def show(self, proof: Proof, rows: Rows, t: Linear, right: Linear) -> None:
        """Show the equation of the last rows and the end of the block."""
        width = len(rows.window)
        above, carry_out = t + 32, linear(0)
        if self.reduces:
            upper = proof.number(above, "u", width, is_written=True)
            right += (number(upper) + Linear({CARRY: 1})) * W**4
        else:
            proof.output(above, width)
        proof.run(proof.block.loop_heads(1)[0], proof.block.end)
        if self.reduces:
            carry_out = proof.machine.register("rax")
            proof.show_at_most("carry ≤ 1", carry_out, 1)
        left = number(proof.words(t, 4)) + (number(proof.words(above, width)) + carry_out * W**width) * W**4
        proof.show("t' + W⁴·z = U + t + x·y", left, right)
        proof.show_end(**({"rcx": linear_address("x")} if self.preserves_rcx else {}))


def accumulate(block: Block, width: int, *, is_first: bool) -> None:
    """Show t = t mod W^m + x·y for an x of `width` words; t counts as 0 where the rows are first."""
    rows = Rows(WINDOW_8[:width], (*WINDOW_8, "rbx")[width], is_first)
    proof = Proof(block)
    t, x, y, count = (proof.address(name) for name in ("t", "x", "y", "count"))
    proof.set(rdi=t, rcx=x, rdx=y, rax=count)
    (head,) = block.loop_heads(1)
    proof.run(block.start, head)
    proof.show("U = 0", rows.invariant(proof), linear(0))
    for name, value in {"rdi": t, "rcx": x, "rbp": y}.items():
        proof.show_register(name, value)
    finish = Finish(reduces=False, preserves_rcx=True)
    finish.show_stack(proof, count)
    rows.show(block, head, finish)


@dataclass(frozen=True)
class LowFinish(Finish):
    """The end of a block that computes modulo a power of W: as many rows behind the loop as x has words."""

    reduces: bool = False
    preserves_rcx: bool = True

    def show(self, proof: Proof, rows: Rows, t: Linear, right: Linear) -> None:
        """Show the congruence of the last rows of the loop and of the rows behind it."""
        width = len(rows.window)
        last_rows = _low_rows(proof, width, t + 32, linear_address("y") + 32, is_first=rows.is_first)
        proof.run(proof.block.loop_heads(1)[0], proof.block.end)
        _show_low_words(proof, t, 4 + width, right + last_rows * W**4)
        proof.show_end(rcx=linear_address("x"))


def _low_rows(proof: Proof, width: int, t: Linear, y: Linear, *, is_first: bool) -> Linear:
    """Return t + x·y for `width` words of each at these addresses; t counts as 0 in rows that are first."""
    y_words = proof.number(y, "above", width)
    right = proof.times(proof.words(linear_address("x"), width), y_words)
    if is_first:
        proof.output(t, width)
        return right
    return right + number(proof.number(t, "u", width, is_written=True))


def _show_low_words(proof: Proof, t: Linear, m: int, right: Linear) -> None:
    proof.show("t' = t + x·y mod W^m", number(proof.words(t, m)), right, modulus=W**m)


def accumulate_low(block: Block, *, is_first: bool) -> None:
    """Show t = t + x·y mod W^m for an x of 8 words and a y of m ≥ 8; t counts as 0 in rows that are first."""
    rows = Rows(WINDOW_8, "rbx", is_first)
    finish = LowFinish()
    (head,) = block.loop_heads(1)
    for has_rows in (True, False):
        proof = Proof(block, decisions=[not has_rows])
        t, x, y, count = (proof.address(name) for name in ("t", "x", "y", "count"))
        proof.set(rdi=t, rcx=x, rdx=y, rax=count)
        if has_rows:
            proof.run(block.start, head)
            proof.show("U = 0", rows.invariant(proof), linear(0))
            for name, value in {"rdi": t, "rcx": x, "rbp": y}.items():
                proof.show_register(name, value)
            finish.show_stack(proof, count)
        else:
            proof.number(x, "x", 8)
            right = _low_rows(proof, 8, t, y, is_first=is_first)
            proof.run(block.start, block.end)
            _show_low_words(proof, t, 8, right)
            proof.show_end(rcx=x)
    rows.show(block, head, finish)


def accumulate_low_4(block: Block) -> None:
    """Show t = t + x·y mod W⁴."""
    proof = Proof(block)
    t, x, y = (proof.address(name) for name in ("t", "x", "y"))
    proof.number(x, "x", 4)
    proof.set(rdi=t, rcx=x, rdx=y)
    right = _low_rows(proof, 4, t, y, is_first=False)
    proof.run(block.start, block.end)
    _show_low_words(proof, t, 4, right)
    proof.show_end(rdi=t, rcx=x)


def cross_products(block: Block, width: int, *, is_first: bool) -> None:
    """Show t = t mod W^s + Σ xᵢ·xⱼ·W^(i+j) over i < width and i < j.

    t counts as 0 where the block is the first.
    The beginning computes the products with j < width; the rows are those with j ≥ width.
    """
    window = ("rbx", *WINDOW_8[:7]) if width == 8 else ("r12", "r8", "r9", "r10")
    rows = Rows(window, "r15" if width == 8 else "r11", is_first)
    finish = Finish(reduces=False, preserves_rcx=True)
    (head,) = block.loop_heads(1)
    for has_rows in (True, False):
        proof = Proof(block, decisions=[not has_rows])
        t, x, count = (proof.address(name) for name in ("t", "x", "count"))
        x_words = proof.number(x, "x", width)
        t_words = proof.number(t, "t", width, is_written=True)
        proof.set(rdi=t, rcx=x, rax=count)
        right = linear(0) if is_first else number(t_words)
        for i, j in itertools.combinations(range(width), 2):
            right += proof.facts.product(x_words[i], x_words[j]) * W ** (i + j)
        if has_rows:
            proof.run(block.start, head)
            above = rows.invariant(proof)
            for name, value in {"rdi": t + 8 * width, "rcx": x, "rbp": x + 8 * width}.items():
                proof.show_register(name, value)
            finish.show_stack(proof, count)
        else:
            proof.output(t + 8 * width, width)
            proof.run(block.start, block.end)
            above = number(proof.words(t + 8 * width, width))
            proof.show_end(rcx=x)
        left = number(proof.words(t, width)) + above * W**width
        proof.show("t' + W^width·U = t + Σ xᵢ·xⱼ·W^(i+j)", left, right)
    rows.show(block, head, finish)


def reduce(block: Block, width: int) -> None:
    """Show t + q·n + carry·W^s = W^width·t' + carry'·W^(s + width), with q in the lowest words of t.

    The beginning computes q from the lowest words of t and n. The rows add q times the words of n above.
    """
    window = ("rbx", *WINDOW_8[:7]) if width == 8 else ("r12", "r8", "r9", "r10")
    rows = Rows(window, "r15" if width == 8 else "r11", is_first=False)
    proof = Proof(block)
    t, n, count = (proof.address(name) for name in ("t", "n", "count"))
    n_words = proof.number(n, "n", width)
    t_words = proof.number(t, "t", width, is_written=True)
    n0 = proof.facts.negative_inverse(n_words[0])
    carry = proof.facts.variable(CARRY, 1)
    proof.set(rdi=t, rcx=n, rdx=n0, rsi=carry, rax=count)
    (head,) = block.loop_heads(1)
    proof.run(block.start, head)
    q = proof.words(t, width)
    above = rows.invariant(proof)
    proof.show("t + q·n = W^width·U", number(t_words) + proof.times(q, n_words), above * W**width)
    for name, value in {"rdi": t + 8 * width, "rcx": t, "rbp": n + 8 * width}.items():
        proof.show_register(name, value)
    finish = Finish(reduces=True, preserves_rcx=False)
    finish.show_stack(proof, count)
    rows.show(block, head, finish)


# ---- squares and subtractions


def squares(block: Block) -> None:
    """Show t = 2·t + Σ xᵢ²·W^(2i) mod W^(2s).

    At the head of the loop rbx and rbp are the two carries c and d, as 0 or −1, and 8 words become

      t' + W⁸·(c' + d') = 2·t + c + d + Σ xᵢ²·W^(2i).
    """
    (head,) = block.loop_heads(1)
    for is_empty in (False, True):
        proof = Proof(block, decisions=[is_empty])
        t, x, x_end = (proof.address(name) for name in ("t", "x", "end"))
        proof.set(rdi=t, rcx=x, rax=x_end)
        proof.run(block.start, block.end if is_empty else head)
        if is_empty:
            proof.show_end()
            continue
        expected = {"rdi": t, "rcx": x, "rbx": linear(0), "rbp": linear(0)}
        for name, value in expected.items():
            proof.show_register(name, value)
        Finish(reduces=False, preserves_rcx=False).show_stack(proof, x_end)
    for is_last in (False, True):
        _body_of_squares(block, head, is_last=is_last)


def _body_of_squares(block: Block, head: int, *, is_last: bool) -> None:
    proof = Proof(block, decisions=[is_last])
    t, x, x_end = (proof.address(name) for name in ("t", "x", "end"))
    x_words = proof.number(x, "x", 4)
    t_words = proof.number(t, "t", 8, is_written=True)
    c, d = (proof.facts.variable(name, 1) for name in ("c", "d"))
    proof.set(rdi=t, rcx=x, rbx=c * (W - 1), rbp=d * (W - 1))
    finish = Finish(reduces=False, preserves_rcx=False)
    finish.push(proof, x_end)
    right = number(t_words) * 2 + c + d
    for i in range(4):
        right += proof.facts.product(x_words[i], x_words[i]) * W ** (2 * i)
    behind = block.behind_loops()[0]
    proof.run(head, behind if is_last else head)
    carries = [_bit(proof.machine.register(name)) for name in ("rbx", "rbp")]
    left = number(proof.words(t, 8)) + (carries[0] + carries[1]) * W**8
    proof.show("t' + W⁸·(c' + d') = 2·t + c + d + Σ xᵢ²·W^(2i)", left, right)
    if is_last:
        proof.run(behind, block.end)
        proof.show_end()
    else:
        for name, value in {"rdi": t + 64, "rcx": x + 32}.items():
            proof.show_register(name, value)
        finish.show_stack(proof, x_end)


def _bit(word: Linear) -> Linear:
    """Return c for a word that is c·(W − 1) with a variable c of 0 or 1."""
    bit = Linear(dict.fromkeys(word.variables(), 1))
    if word != bit * (W - 1):
        raise RefutedError("a carry between blocks is neither 0 nor −1")
    return bit


def subtract_once(block: Block) -> None:
    """Show z = u − n where u + carry·W^s ≥ n, else u.

    The first loop: d' − W⁴·b' = u − n − b for the borrows b and b', 0 in the beginning. Behind it the carry
    flag is 1 exactly if carry < b. The second loop: z = u where the carry flag is 1, else d.
    """
    first, second = block.loop_heads(2)
    proof, registers = _subtraction(block, first=True)
    proof.set(rax=linear(0))
    proof.run(block.start, first)
    for name, value in (registers | {"rax": linear(0)}).items():
        proof.show_register(name, value)
    proof.show("b = 0", proof.machine.flag(proof.machine.carry), linear(0))
    for is_last in (False, True):
        _differences(block, first, second, is_last=is_last)
        for is_negative in (False, True):
            _choice(block, second, is_last=is_last, is_negative=is_negative)


def _subtraction(
    block: Block, *, first: bool, decisions: Sequence[bool] = ()
) -> tuple[Proof, dict[str, Linear]]:
    """Return a proof at one of the loops, and the registers that stay as they are."""
    proof = Proof(block, decisions=decisions)
    z, u, n, count, index = (proof.address(name) for name in ("z", "u", "n", "count", "index"))
    registers = {"rdi": z, "rsi": u, "rcx": n, "r13": count}
    registers |= {name: proof.facts.variable(f"{name} before", W - 1) for name in ("r14", "r15")}
    if first:
        registers["rdx"] = proof.facts.variable(CARRY, 1)
        registers["r12"] = count
    proof.set(**registers, rax=index)
    return proof, registers


def _differences(block: Block, first: int, second: int, *, is_last: bool) -> None:
    proof, registers = _subtraction(block, first=True, decisions=[is_last])
    index = linear_address("index")
    u, n = (proof.number(registers[name] + index * 8, name, 4) for name in ("rsi", "rcx"))
    z = registers["rdi"] + index * 8
    proof.output(z, 4)
    proof.machine.carry = b = proof.facts.variable("b", 1)
    behind = block.behind_loops()[0]
    proof.run(first, behind if is_last else first)
    borrow = proof.machine.flag(proof.machine.carry)
    proof.show("d' − W⁴·b' = u − n − b", number(proof.words(z, 4)) - borrow * W**4, number(u) - number(n) - b)
    registers |= {"r12": linear_address("count") - 1, "rax": index + 4}
    if is_last:
        proof.run(behind, second)
        carry = registers.pop("rdx")
        is_negative = proof.machine.flag(proof.machine.carry)
        # The flag is 1 exactly if carry − b < 0.
        proof.show_at_most("the flag is 1 where carry < b", borrow - carry, is_negative)
        proof.show_at_most("the flag is 0 where carry ≥ b", carry - borrow, linear(1) - is_negative * 2)
        registers["rax"] = linear(0)
    for name, value in registers.items():
        proof.show_register(name, value)


def _choice(block: Block, second: int, *, is_last: bool, is_negative: bool) -> None:
    proof, registers = _subtraction(block, first=False, decisions=[is_negative, is_last])
    index = linear_address("index")
    u = proof.number(registers["rsi"] + index * 8, "u", 4)
    d = proof.number(registers["rdi"] + index * 8, "d", 4, is_written=True)
    proof.machine.carry = flag = proof.facts.variable("flag", 1)
    proof.run(second, block.end if is_last else second)
    z = proof.words(registers["rdi"] + index * 8, 4)
    proof.show("z = u or d", number(z), number(u if is_negative else d))
    if is_last:
        proof.show_end(**{name: registers[name] for name in ("rdi", "rsi", "rcx", "r14", "r15")})
        return
    proof.show("the flag", proof.machine.flag(proof.machine.carry), flag)
    for name, value in (registers | {"rax": index + 4, "r13": linear_address("count") - 1}).items():
        proof.show_register(name, value)


# ---- the table

CLAIMS: dict[str, Callable[[Block], None]] = {
    **{f"product_{s}": Short(s, squares=False).show for s in range(3, 11)},
    **{f"square_{s}": Short(s, squares=True).show for s in range(3, 11)},
    **{f"append_{s}": partial(append, s=s) for s in range(3, 11)},
    "multiply_8": partial(accumulate, width=8, is_first=True),
    "accumulate_8": partial(accumulate, width=8, is_first=False),
    "accumulate_4": partial(accumulate, width=4, is_first=False),
    "multiply_low_8": partial(accumulate_low, is_first=True),
    "accumulate_low_8": partial(accumulate_low, is_first=False),
    "accumulate_low_4": accumulate_low_4,
    "first_cross_products_8": partial(cross_products, width=8, is_first=True),
    "cross_products_8": partial(cross_products, width=8, is_first=False),
    "cross_products_4": partial(cross_products, width=4, is_first=False),
    "reduce_8": partial(reduce, width=8),
    "reduce_4": partial(reduce, width=4),
    "double_and_add_squares": squares,
    "subtract_once": subtract_once,
}

"""Linear expressions over the integers, what is known of their variables, and questions about them to z3.

A word of the machine is an expression whose value lies in 0 … W − 1, W = 2^64. A product of two words is a
variable of its own, with the bounds that follow from those of its factors; so everything stays linear.
"""

import math
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from monpro.flow import tools

W = 2**64
ONE = ""  # the name of the constant term
N0 = "−1/n"  # the name of the word n0 with n0·n = −1 mod W
N1 = "−1/n, upper"  # the name of the word n1 with (n0 + n1·W)·n = −1 mod W²
Z3_SECONDS = 20
LATEST = 60  # variables; what is known of older ones rarely helps to bound a carry


class RefutedError(Exception):
    """A claim does not hold, or does not follow from what is known."""


class Linear:
    """A sum of variables with integer coefficients, and a constant under the name `ONE`."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[str, int]) -> None:
        """Leave out the terms with the coefficient 0."""
        self.terms = {name: factor for name, factor in terms.items() if factor}

    def __add__(self, other: "Linear | int") -> "Linear":
        """Return the sum."""
        terms = dict(self.terms)
        for name, factor in linear(other).terms.items():
            terms[name] = terms.get(name, 0) + factor
        return Linear(terms)

    def __sub__(self, other: "Linear | int") -> "Linear":
        """Return the difference."""
        return self + linear(other) * -1

    def __mul__(self, factor: int) -> "Linear":
        """Return the multiple."""
        return Linear({name: factor * value for name, value in self.terms.items()})

    def __eq__(self, other: object) -> bool:
        """Return whether the expressions have the same terms."""
        return isinstance(other, Linear) and self.terms == other.terms

    def __hash__(self) -> int:
        """Return a hash of the terms."""
        return hash(self.key())

    def key(self) -> frozenset[tuple[str, int]]:
        """Return the terms as a key of a dictionary."""
        return frozenset(self.terms.items())

    def variables(self) -> set[str]:
        """Return the names of the variables."""
        return self.terms.keys() - {ONE}

    def constant(self) -> int | None:
        """Return the value of an expression without variables."""
        return None if self.variables() else self.terms.get(ONE, 0)

    def modulo_w(self) -> frozenset[tuple[str, int]]:
        """Return the residue modulo W as a key: equal keys show that two expressions are congruent."""
        return Linear({name: factor % W for name, factor in self.terms.items()}).key()


def linear(value: Linear | int) -> Linear:
    """Return a number as an expression."""
    return value if isinstance(value, Linear) else Linear({ONE: value})


def number(words: Iterable[Linear]) -> Linear:
    """Return the number with these words, the lowest first."""
    total = linear(0)
    for i, word in enumerate(words):
        total += word * W**i
    return total


@dataclass
class Pair:
    """Two quotients, of which the second is not yet known; a₀ as a key."""

    a0: frozenset[tuple[str, int]]
    q0: Linear
    g: Linear
    upper: Linear
    by_n1: Linear | None = None


class Facts:
    """The variables of an execution, their bounds, and the equations between them."""

    def __init__(self) -> None:
        """Know nothing."""
        self.bounds: dict[str, tuple[int, int]] = {}
        self.order: list[str] = []
        self._at_least_zero: list[tuple[int, Linear]] = []  # with the number of variables that there were
        self._values: dict[str, Linear] = {}
        self._congruent: dict[frozenset[tuple[str, int]], Linear] = {frozenset(): linear(0)}
        self._products: dict[frozenset[frozenset[tuple[str, int]]], Linear] = {}
        self._high_words: dict[str, Linear] = {}
        # The word n0 with n0·n = −1 mod W: the key of n0, and n.
        self.negative_inverses: dict[frozenset[tuple[str, int]], Linear] = {}
        # The word n1 with (n0 + n1·W)·n = −1 mod W², and the lowest two words of n.
        self.upper_inverse: tuple[Linear, tuple[Linear, Linear]] | None = None
        self.quotients: list[Linear] = []
        self._pair: Pair | None = None
        # A sum, as a key modulo W, and the second quotient, which is this sum.
        self._second_quotients: dict[frozenset[tuple[str, int]], Linear] = {}
        self.carries_proved_zero = 0

    def variable(self, name: str, high: int) -> Linear:
        """Return a new variable from 0 to `high`, numbered if there is one of this name."""
        name = name if name not in self.bounds else f"{name}.{len(self.order)}"
        self.bounds[name] = (0, high)
        self.order.append(name)
        return Linear({name: 1})

    def words(self, name: str, count: int) -> list[Linear]:
        """Return the words of a number."""
        return [self.variable(f"{name}{i}", W - 1) for i in range(count)]

    def assume_at_least_zero(self, value: Linear) -> None:
        """Assume value ≥ 0."""
        self._at_least_zero.append((len(self.order), value))

    def resolve(self, value: Linear) -> Linear:
        """Return the expression with the known variables replaced."""
        while known := value.variables() & self._values.keys():
            for name in known:
                factor = value.terms[name]
                value = value - Linear({name: factor}) + self._values[name] * factor
        return value

    def set_zero(self, value: Linear) -> None:
        """Take value = 0 as an equation, and replace its earliest variable with the coefficient 1 or −1."""
        value = self.resolve(value)
        if not value.terms:
            return
        variables = sorted(value.variables(), key=self.order.index)
        name = next((name for name in variables if abs(value.terms[name]) == 1), None)
        if name is None:
            raise RefutedError("an equation without a variable to solve for")
        replaced = Linear({name: 1})
        solution = replaced - value * value.terms[name]
        self._values[name] = solution
        if solution.constant() is None:
            self.assume_at_least_zero(solution - self.bounds[name][0])
            self.assume_at_least_zero(linear(self.bounds[name][1]) - solution)

    def _check(self, variables: set[str]) -> None:
        if addresses := variables - self.bounds.keys():
            raise RefutedError(f"the address {min(addresses)} is where a word should be")

    def interval(self, value: Linear) -> tuple[int, int]:
        """Return bounds of the value from the bounds of its variables alone."""
        self._check(value.variables())
        low = high = value.terms.get(ONE, 0)
        for name in value.variables():
            factor, (least, most) = value.terms[name], self.bounds[name]
            low += factor * (least if factor > 0 else most)
            high += factor * (most if factor > 0 else least)
        return low, high

    def word(self, value: Linear) -> Linear:
        """Return the value, of which it is known that it is a word.

        Two words that are congruent modulo W are equal. This shows that a quotient makes the lowest word 0.
        """
        value = self.resolve(value)
        same = self.resolve(self._congruent.setdefault(value.modulo_w(), value))
        difference = self.resolve(value - same)
        if difference.terms:
            self.set_zero(Linear({name: factor // W for name, factor in difference.terms.items()}))
            value = self.resolve(value)
        if value.constant() is None and value.key() not in {frozenset({(n, 1)}) for n in value.variables()}:
            self.assume_at_least_zero(value)
            self.assume_at_least_zero(linear(W - 1) - value)
        return value

    def split(self, value: Linear, *, is_difference: bool = False) -> tuple[Linear, Linear]:
        """Return the word and the carry with word + W·carry = value.

        The carry is 0 or 1 for a sum of words, with 0 <= value < 2·W, and 0 or −1 for a difference, with
        −W <= value < W.
        """
        value = self.resolve(value)
        low, high = self.interval(value)
        bits = value.variables()
        if low // W == high // W:
            carry = linear(low // W)
        elif len(bits) == 1 and all(self.bounds[bit] == (0, 1) for bit in bits):
            at_0 = value.terms.get(ONE, 0)
            (bit,) = bits
            carry = linear(at_0 // W) + Linear({bit: (at_0 + value.terms[bit]) // W - at_0 // W})
        else:
            carry = self.variable("borrow", 1) * -1 if is_difference else self.variable("carry", 1)
        return self.word(value - carry * W), carry

    def product(self, x: Linear, y: Linear) -> Linear:
        """Return x·y."""
        x, y = self.resolve(x), self.resolve(y)
        for factor, other in ((x, y), (y, x)):
            constant = factor.constant()
            if constant is not None:
                return other * constant
        key = frozenset({x.key(), y.key()})
        if key not in self._products:
            self._products[key] = self._new_product(x, y)
        return self.resolve(self._products[key])

    def _new_product(self, x: Linear, y: Linear) -> Linear:
        value = self.variable(f"product{len(self._products)}", (W - 1) ** 2)
        self._bound_product(value, x, y)
        return value

    def _bound_product(self, value: Linear, x: Linear, y: Linear) -> None:
        self.assume_at_least_zero(value)
        self.assume_at_least_zero(x * (W - 1) - value)
        self.assume_at_least_zero(y * (W - 1) - value)

    def negative_inverse(self, n: Linear) -> Linear:
        """Return a word n0 with n0·n = −1 mod W."""
        n0 = self.variable(N0, W - 1)
        self.negative_inverses[n0.key()] = n
        return n0

    def negative_inverse_of_two_words(self, n: Sequence[Linear]) -> tuple[Linear, Linear]:
        """Return words n0 and n1 with (n0 + n1·W)·n = −1 mod W²."""
        n0, n1 = self.negative_inverse(n[0]), self.variable(N1, W - 1)
        self.upper_inverse = (n1, (n[0], n[1]))
        return n0, n1

    def quotient(self, lowest: Linear, n_lowest: Linear) -> Linear:
        """Return q = lowest·n0 mod W for the n0 with n_lowest·n0 = −1 mod W.

        Then q·n_lowest = −lowest mod W, and so q·n_lowest = W·g − lowest for an integer g.
        """
        q, _ = self._quotient(lowest, n_lowest, W)
        self.quotients.append(q)
        return q

    def _quotient(self, lowest: Linear, n_lowest: Linear, most: int) -> tuple[Linear, Linear]:
        q, g = self.variable("q", W - 1), self.variable("g", most)
        product = g * W - self.resolve(lowest)
        self._products[frozenset({q.key(), n_lowest.key()})] = product
        self._bound_product(product, q, n_lowest)
        return q, g

    # Two quotients at a time: q₀ + q₁·W = (a₀ + a₁·W)·(n0 + n1·W) mod W². So q₀ is the lower word of a₀·n0;
    # q₁ the upper word + a₀·n1 + a₁·n0 mod W. Since (q₀ + q₁·W)·n = −a₀ − a₁·W mod W², it follows that
    # a₀ + q₀·n₀ = g·W, and a₁ + g + q₀·n₁ + q₁·n₀ = 0 mod W.

    def first_of_two_quotients(self, a0: Linear) -> tuple[Linear, Linear]:
        """Return q₀, and the upper word of a₀·n0."""
        if self.upper_inverse is None:
            raise RefutedError("a product by n0 of which no rule knows")
        _, (n_lowest, _) = self.upper_inverse
        q0, g = self._quotient(a0, n_lowest, W)
        self.quotients.append(q0)
        self._pair = Pair(self.resolve(a0).key(), q0, g, self.variable("upper", W - 1))
        return q0, self._pair.upper

    def part_by_n1(self, a0: Linear) -> Linear:
        """Return a₀·n1 mod W."""
        part = self.variable("part", W - 1)
        if self._pair is not None and self.resolve(a0).key() == self._pair.a0:
            self._pair.by_n1 = part
        return part

    def part_by_n0(self, a1: Linear) -> Linear:
        """Return a₁·n0 mod W; if it is the last part of q₁, the sum of the parts becomes known as q₁."""
        part = self.variable("part", W - 1)
        pair, self._pair = self._pair, None
        if pair is not None and pair.by_n1 is not None and self.upper_inverse is not None:
            _, (n_lowest, n_next) = self.upper_inverse
            below = self.resolve(a1) + pair.g + self.product(pair.q0, n_next)
            q1, _ = self._quotient(below, n_lowest, 2 * W)
            self.quotients.append(q1)
            self._second_quotients[(pair.upper + pair.by_n1 + part).modulo_w()] = q1
        return part

    def has_first_of_two(self) -> bool:
        """Return whether a pair of quotients was begun and not ended."""
        return self._pair is not None

    def sum_or_quotient(self, word: Linear) -> Linear:
        """Return the word, or the second quotient that it is."""
        return self._second_quotients.get(word.modulo_w(), word)

    def high_word(self, product: Linear, x: Linear, y: Linear) -> Linear:
        """Return ⌊product/W⌋ for the product of two words."""
        constant = product.constant()
        if constant is not None:
            return linear(constant // W)
        key = str(sorted(map(sorted, (self.resolve(x).key(), self.resolve(y).key()))))
        if key not in self._high_words:
            self._high_words[key] = self.variable("high", W - 2)
        return self.resolve(self._high_words[key])

    def prove_zero(self, value: Linear, what: str, *, modulus: int | None = None) -> None:
        """Show that the value is 0, or 0 modulo a number: that nothing but carries is left, always 0."""
        while variables := (value := _residue(self.resolve(value), modulus)).variables():
            self._check(variables)
            first = min(variables, key=self.order.index)
            if self.bounds[first] != (0, 1):
                raise RefutedError(f"{what}: {len(variables)} variables are left, {first} among them")
            if not self._is_always_zero(first):
                raise RefutedError(f"{what}: a carry is lost that may be 1")
            self.carries_proved_zero += 1
            self.set_zero(Linear({first: 1}))
        if value.terms:
            raise RefutedError(f"{what}: they differ by {value.constant()}")

    def _is_always_zero(self, bit: str) -> bool:
        """Return whether this follows from what was known when the carry was computed, the latest first."""
        until = self.order.index(bit) + 1
        claim = Linear({bit: -1})
        return any(self._follows(claim, range(start, until + 1)) for start in (until - LATEST, 0))

    def prove_at_least_zero(self, value: Linear, what: str) -> None:
        """Show that the value is not negative."""
        if self.interval(self.resolve(value))[0] < 0 and not self._follows(value, range(len(self.order) + 1)):
            raise RefutedError(f"{what}: this does not follow")

    def _follows(self, value: Linear, when: range) -> bool:
        """Return whether value ≥ 0 follows from what became known when there were so many variables.

        z3 looks for carries and real numbers that meet all bounds and equations, and value ≤ −1. If there are
        no such real numbers, there are no such integers.
        """
        value = self.resolve(value)
        divisor = math.gcd(*value.terms.values()) or 1
        negation = linear(-1) - Linear({name: factor // divisor for name, factor in value.terms.items()})
        facts = [self.resolve(fact) for count, fact in self._at_least_zero if count in when]
        return ask(self._script([*facts, negation])) == "unsat"

    def _script(self, claims: list[Linear]) -> str:
        """Return a script of SMT-LIB that asks for numbers for which all claims are at least 0."""
        names = sorted(set().union(*(claim.variables() for claim in claims)), key=self.order.index)
        numbers = {name: f"v{i}" for i, name in enumerate(names)}
        lines = []
        for name in names:
            low, high = self.bounds[name]
            sort = "Int" if (low, high) == (0, 1) else "Real"
            v = numbers[name]
            lines.append(f"(declare-const {v} {sort})(assert (and (<= {low} {v}) (<= {v} {high})))")
        lines += [f"(assert (>= {_smt(claim, numbers)} 0))" for claim in claims]
        return "\n".join([*lines, "(check-sat)"])


def _residue(value: Linear, modulus: int | None) -> Linear:
    """Return the value without terms that are multiples of the modulus."""
    if modulus is None:
        return value
    return Linear({name: factor for name, factor in value.terms.items() if factor % modulus})


def _smt(value: Linear, names: Mapping[str, str]) -> str:
    def integer(factor: int) -> str:
        return str(factor) if factor >= 0 else f"(- {-factor})"

    terms = [
        integer(factor) if name == ONE else f"(* {integer(factor)} {names[name]})"
        for name, factor in value.terms.items()
    ]
    return f"(+ {' '.join(terms)} 0)"


def ask(script: str) -> str:
    """Return the answer of z3 to a script of SMT-LIB: sat, unsat, unknown or timeout."""
    command = [str(tools.find("z3")), "-in", f"-T:{Z3_SECONDS}"]
    ended = subprocess.run(command, input=script, capture_output=True, text=True, check=False)
    answer = ended.stdout.strip()
    if answer not in {"sat", "unsat", "unknown", "timeout"}:
        raise tools.ToolError(f"z3 failed: {tools.complaint(ended.stdout + ended.stderr)}")
    return answer

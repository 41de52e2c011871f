"""A hardware engine: its parameters, its bounds, and a model that is exact in values and clock cycles."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, Self

MAX_WIDTH_BITS = 4096


@dataclass(frozen=True)
class Result:
    """A result, and the clock cycles from the edge that took the operands to the edge that made z valid."""

    z: int
    cycles: int


@dataclass(frozen=True)
class Design:
    """A hardware engine: its width, which is the bit length of the largest modulus, and its RTL parameters.

    Each architecture is a subclass. Its further fields are the parameters of the RTL module `top`, in lower
    case.
    """

    width_bits: int

    layer: ClassVar[str]  # of the RTL module: mul, exp
    computes: ClassVar[str]  # product, power
    name: ClassVar[str]  # of the architecture, as on the command line
    title: ClassVar[str]
    paper: ClassVar[str]
    source: ClassVar[str]  # the figures it follows
    latency: ClassVar[str]  # cycles of a product or power, as a formula
    letters: ClassVar[dict[str, str]]  # what each letter of that formula means
    bound: ClassVar[str] = "2n"  # of operands and results, in words
    variants: ClassVar[dict[str, dict[str, int]]] = {"": {}}  # the verified parameters, by suffix of the name
    verified_widths_bits: ClassVar[tuple[int, ...]] = (256, 1024, 2048)

    def __post_init__(self) -> None:
        """Raise ValueError for a width that no module has, and for a switch that is neither 0 nor 1."""
        if not 2 <= self.width_bits <= MAX_WIDTH_BITS:
            raise ValueError(f"{self.name} has widths up to {MAX_WIDTH_BITS} bits, not {self.width_bits}")
        for field in fields(self):
            if isinstance(field.default, bool) and getattr(self, field.name) not in {0, 1}:
                raise ValueError(f"{field.name} of {self.name} is 0 or 1, not {getattr(self, field.name)}")

    @property
    def top(self) -> str:
        """Return the name of the RTL module."""
        return f"monpro_{self.layer}_{self.name.replace('-', '_')}"

    @classmethod
    def of(cls, width_bits: int, parameters: Mapping[str, int]) -> Self:
        """Return the design with these parameters, by the names of the fields."""
        return cls(width_bits, **parameters)

    @property
    def settings(self) -> dict[str, int]:
        """Return the width and all parameters, by the names that they have in the RTL."""
        values = {_camel_case(field.name): int(getattr(self, field.name)) for field in fields(self)}
        return {name: values[name] for name in sorted(values)}

    @property
    def parameters(self) -> dict[str, int]:
        """Return the parameters of the RTL module: all settings, unless one of them chooses the module."""
        return self.settings

    @property
    def configuration(self) -> str:
        """Return a name with all parameters, which no other design has."""
        return "-".join([self.top, *(f"{name}{value}" for name, value in self.parameters.items())])

    @property
    def arguments(self) -> str:
        """Return how the command line names the design, but for its width: `systolic --set radix_log2=1`."""
        usual = type(self)(self.width_bits)
        changed = {name: value for name, value in vars(self).items() if value != getattr(usual, name)}
        return " ".join([self.name, *(f"--set {name}={int(value)}" for name, value in changed.items())])

    @property
    def switches(self) -> frozenset[str]:
        """Return the names of the RTL parameters that are 0 or 1."""
        return frozenset(_camel_case(field.name) for field in fields(self) if isinstance(field.default, bool))

    @property
    def wide_ports(self) -> dict[str, int]:
        """Return the widths of the ports that carry a whole number, by name; empty if ports carry words."""
        return {}

    def _check_modulus(self, n: int) -> None:
        if not 3 <= n < 1 << self.width_bits or n % 2 == 0:
            raise ValueError(f"the modulus must be odd and from 3 to {2**self.width_bits - 1}, not {n}")


@dataclass(frozen=True)
class Core(Design, ABC):
    """A multiplier for odd moduli 3 ≤ n < 2^width_bits: z ≡ x·y·R⁻¹ (mod n) with R = 2^r_log2.

    If x and y are below `operand_bound(n)`, z is below the same bound, so products can be chained. In the
    latency formula, K = width_bits and K' = iteration_bits.

    Cycles count rising clock edges. The edge at which `valid_i & ready_o` takes the operands does not count;
    the edge after which `valid_o` is first high is the last that counts.
    """

    layer: ClassVar[str] = "mul"
    computes: ClassVar[str] = "product"
    uses_n_hat: ClassVar[bool] = False  # works with N̂ = n + 1 or 3n + 1 in place of n [kuang16, eq. (4)]
    slowly_proved: ClassVar[frozenset[str]] = frozenset()  # variants that only `make test-full` proves

    @property
    def iteration_bits(self) -> int:
        """Return the k of the paper's loops: enough bits for every `effective_modulus`, 3n < 2^(K+2)."""
        return self.width_bits + 2 if self.uses_n_hat else self.width_bits

    @property
    def r_log2(self) -> int:
        """Return log2 R."""
        return self.iteration_bits + 2

    @property
    def value_bits(self) -> int:
        """Return the bit length of the largest operand."""
        return self.iteration_bits + 1

    @property
    def operand_bits(self) -> int:
        """Return the width of the ports x_i, y_i and z_o."""
        return self.value_bits

    @property
    def modulus_bits(self) -> int:
        """Return the width of the port n_i."""
        return self.iteration_bits

    @property
    def wide_ports(self) -> dict[str, int]:
        """Return the widths of the operand ports and of n_i."""
        return {"operand_bits": self.operand_bits, "modulus_bits": self.modulus_bits}

    @property
    @abstractmethod
    def min_cycles(self) -> int:
        """Return a lower bound of the cycles of a product."""

    @property
    @abstractmethod
    def max_cycles(self) -> int:
        """Return an upper bound of the cycles of a product."""

    @property
    def is_constant_time(self) -> bool:
        """Return whether every product takes the same number of cycles."""
        return self.min_cycles == self.max_cycles

    @property
    def proof_parameters(self) -> dict[str, int]:
        """Return RTL parameters for proofs: they give a narrow core the structure of a wide one."""
        return {}

    @property
    def modulus_radix_log2(self) -> int:
        """Return v: products are reduced by the multiple of n that is −1 modulo 2^v, or by n if v = 0."""
        return 2 if self.uses_n_hat else 0

    @property
    def modulus_shift(self) -> int:
        """Return s: the port n_i takes (effective_modulus(n) + 1)/2^s, such as N̂; s = 0 if v = 0."""
        return 0

    def effective_modulus(self, n: int) -> int:
        """Return the multiple of n by which products are reduced: n, or N̂ − 1."""
        radix = 1 << self.modulus_radix_log2
        return n if radix == 1 else -pow(n, -1, radix) % radix * n

    def modulus_input(self, n: int) -> int:
        """Return the input of the port n_i: n, or N̂, the multiple of four among n + 1 and 3n + 1."""
        return self.effective_modulus(n) + 1 >> self.modulus_shift if self.modulus_radix_log2 else n

    def operand_bound(self, n: int) -> int:
        """Return the exclusive bound of x and y."""
        return 2 * self.effective_modulus(n)

    @property
    def formulas(self) -> dict[str, str]:
        """Return `effective_modulus` and `modulus_input` as Python expressions in n."""
        multiple = "(n if n % 4 == 3 else 3 * n)" if self.uses_n_hat else "n"
        return {
            "effective_modulus": multiple,
            "modulus_input": f"{multiple} + 1" if self.uses_n_hat else "n",
        }

    def result_bound(self, n: int) -> int:
        """Return the exclusive bound of z, which is the bound of the operands."""
        return self.operand_bound(n)

    def value(self, operand: int) -> int:
        """Return the number that an operand or result represents: itself, unless the ports carry pairs."""
        return operand

    def constants(self, n: int) -> dict[str, int]:
        """Return the constants of n for host software: `n_i` for the port, `r` = R mod n, `r2` = R² mod n.

        The core itself can convert. The product of x and r2 is the Montgomery form of x, and r is the
        Montgomery form of 1. The product of z and 1 is the number that z represents. Reduce it modulo n: it
        may be as large as `effective_modulus(n)`.
        """
        self._check_modulus(n)
        r = (1 << self.r_log2) % n
        return {"n_i": self.modulus_input(n), "r": r, "r2": r * r % n}

    def to_montgomery(self, x: int, n: int) -> int:
        """Return the operand x·R mod n. x ≥ 0."""
        self._check_modulus(n)
        return (x << self.r_log2) % n

    def from_montgomery(self, z: int, n: int) -> int:
        """Return z·R⁻¹ mod n, fully reduced, for an operand or result z."""
        self._check_operands(n, z)
        return self.value(z) * pow(1 << self.r_log2, -1, n) % n

    def run(self, x: int, y: int, n: int) -> Result:
        """Return the product of x and y and its cycles; ValueError if x, y or n is out of bounds."""
        self._check_operands(n, x, y)
        return self._product(x, y, n)

    def power(self, x: int, e: int, n: int) -> Result:
        """Return x^e mod n by left-to-right products on this core, and their total cycles. x, e ≥ 0."""
        base, result, cycles = self.to_montgomery(x, n), self.constants(n)["r"], 0
        for digit in f"{e:b}":
            square = self.run(result, result, n)
            result, cycles = square.z, cycles + square.cycles
            if digit == "1":
                product = self.run(result, base, n)
                result, cycles = product.z, cycles + product.cycles
        last = self.run(result, 1, n)
        return Result(self.value(last.z) % n, cycles + last.cycles)

    @abstractmethod
    def _product(self, x: int, y: int, n: int) -> Result:
        """Return the product of operands, which are within their bounds."""

    def _check_operands(self, n: int, *operands: int) -> None:
        self._check_modulus(n)
        bound = self.operand_bound(n)
        for operand in operands:
            if operand < 0 or self.value(operand) >= bound:
                raise ValueError(f"operands of {self.name} must be from 0 to {bound - 1}, not {operand}")


def _camel_case(field: str) -> str:
    """Return the name of the RTL parameter of a field: camel case, without the suffix `_bits`."""
    return "".join(part.capitalize() for part in field.removesuffix("_bits").split("_"))

"""The rows of [blum01, §6]: decryption beside other hardware and beside software, then and here."""

import subprocess
from shutil import which
from time import perf_counter

from monpro import rsa
from monpro.report.blum01.designs import (
    CLOCK_TARGET,
    OTHER_DEVICE,
    TOLERANCE,
    clock_ns,
    cycles,
    design,
    not_recorded,
    printed_clocks,
)
from monpro.report.table import Row, compare

PARALLEL_MS = {512: 0.79, 1024: 3.10}  # [blum01, Table 4], radix 16, two engines
SOFTWARE_THEN_MS = {512: 9.1, 1024: 43.3}
CLAIMS = (  # what, its time in ms, ours of its length, how many times longer, as printed
    ("512 bit, Alpha of 150 MHz", SOFTWARE_THEN_MS[512], PARALLEL_MS[512], 11),
    ("1024 bit, Pentium Pro of 200 MHz", SOFTWARE_THEN_MS[1024], PARALLEL_MS[1024], 14),
    ("512 bit, FPGAs of Vuillemin et al.", 1.7, PARALLEL_MS[512], 2.1),
    ("970 bit, FPGAs of Vuillemin et al.", 5.2, 2.8, 1.8),
)
ODD_BITS, ODD_MS = 970, 2.8
NO_OPENSSL = "the program openssl is not installed"
OTHER_PROCESSOR = "a processor of today"
SECONDS = 1


def openssl_ms(bits: int) -> tuple[float | None, str]:
    """Return the time of a private operation of OpenSSL here, and its version; None without it."""
    program = which("openssl")
    if program is None:
        return None, NO_OPENSSL
    version = _answer([program, "version"])
    speed = _answer([program, "speed", "-mr", "-seconds", str(SECONDS), f"rsa{bits}"])
    rates = [line.split(":") for line in speed.splitlines() if line.startswith("+F2:")]
    if not rates:
        return None, f"{version} does not time RSA of {bits} bits"
    return 1e3 / float(rates[0][3]), " ".join(version.split()[:2])


def monpro_ms(bits: int) -> tuple[float, str]:
    """Return the time of a private operation of monpro here, and what it is."""
    key = rsa.PrivateKey.generate(bits)
    operations, begin = 0, perf_counter()
    while perf_counter() - begin < SECONDS:
        key.raw(b"\2")
        operations += 1
    return (perf_counter() - begin) * 1e3 / operations, "monpro, blinded and checked"


def _answer(command: list[str]) -> str:
    return subprocess.run(  # noqa: S603  # the program found above
        command, capture_output=True, text=True, errors="replace", check=False
    ).stdout


def claim_rows() -> list[Row]:
    """Return the ratios that the text states, computed from the times that it states."""
    rows = []
    for what, theirs, ours, printed in CLAIMS:
        ratio = round(theirs / ours, 2)
        note = f"by the printed times, {theirs:g} and {ours:g} ms"
        rows.append(
            compare(f"{what}: slower by", printed, ratio, note, within=0.05, unit="times", source="computed")
        )
    return rows


def odd_length_row() -> Row:
    """Return the time of 970 bits, whose halves have 485 bits and 122 digits."""
    core = design(4, ODD_BITS // 2)
    counted = core.run(3, (1 << ODD_BITS // 2) - 1, (1 << ODD_BITS // 2) - 1).cycles - core.overhead_cycles
    ours = round(counted / 45.6e3, 2)
    note = f"{counted:,} clocks of the model at 45.6 MHz"
    within = 0.05 / ODD_MS
    return compare("970 bit, radix 16", ODD_MS, ours, note, within=within, unit="ms", source="modelled")


def hardware_ms(bits: int) -> tuple[float | None, str]:
    """Return the time of a decryption by our hardware, two engines on an ECP5, and how it is put together."""
    half = design(4, bits // 2)
    period_ns = clock_ns(half)
    if period_ns is None:
        return None, not_recorded(half, CLOCK_TARGET)
    counted, _what = cycles(half, (1 << bits // 2) - 1, rtl=False)
    return counted * period_ns * 1e-6, f"{counted:,} clocks of {period_ns:.2f} ns, two engines"


def software_rows(bits: int, then_ms: float, hardware: float | None) -> list[Row]:
    """Return the decryption times of today's software beside the paper's, and how they stand to hardware."""
    rows = []
    for library, (time_ms, source) in {"OpenSSL": openssl_ms(bits), "monpro": monpro_ms(bits)}.items():
        rows.append(
            compare(
                f"{bits} bit, software: {library}",
                then_ms,
                time_ms and round(time_ms, 4),
                f"{source}, one core here",
                reason=OTHER_PROCESSOR,
                within=TOLERANCE,
                unit="ms",
                source="timed",
            )
        )
        rows.append(
            compare(
                f"{bits} bit, software : hardware, {library}",
                round(then_ms / PARALLEL_MS[bits], 1),
                round(time_ms / hardware, 3) if time_ms and hardware else None,
                reason=f"{OTHER_PROCESSOR}, beside a small FPGA",
                within=TOLERANCE,
                printed=False,
                source="timed",
            )
        )
    return rows


def today_rows(*, measured: bool) -> list[Row]:
    """Return the decryption times of our hardware and, if measured, of software here."""
    rows = []
    for bits, then_ms in SOFTWARE_THEN_MS.items():
        hardware, note = hardware_ms(bits)
        rows.append(
            compare(
                f"{bits} bit, hardware, ECP5",
                PARALLEL_MS[bits],
                hardware and round(hardware, 3),
                note,
                reason=OTHER_DEVICE,
                within=TOLERANCE,
                unit="ms",
                source="recorded",
            )
        )
        if measured:
            rows += software_rows(bits, then_ms, hardware)
    return rows


def clock_row() -> Row:
    """Return the clock that follows from 3.10 ms."""
    megahertz = round(printed_clocks(4, 512, 128) / 3.1e3, 1)
    note = "3.10 ms are rounded"
    return compare("clock of 2 × 512 bit", 45.6, megahertz, note, within=0.006, unit="MHz", source="computed")


def comparison(*, measured: bool) -> list[Row]:
    """Return the rows of the comparison, with software measured here or without."""
    return [*claim_rows(), odd_length_row(), clock_row(), *today_rows(measured=measured)]

"""The rows of [blum01, §6]: decryption beside other hardware and beside software, then and here."""

import subprocess
from shutil import which

from monpro.report.blum01.designs import NOT_RECORDED, OTHER_DEVICE, TOLERANCE, clock_ns, design
from monpro.report.table import Entry, Row, compare
from monpro.spec import blum01

PARALLEL_MS = {512: 0.79, 1024: 3.10}  # [blum01, Table 4], radix 16, two engines
CLAIMS = (  # what, its time in ms, ours of its length, how many times longer, as printed
    ("512 bit, Alpha of 150 MHz", 9.1, PARALLEL_MS[512], 11),
    ("1024 bit, Pentium Pro of 200 MHz", 43.3, PARALLEL_MS[1024], 14),
    ("512 bit, FPGAs of Vuillemin et al.", 1.7, PARALLEL_MS[512], 2.1),
    ("970 bit, FPGAs of Vuillemin et al.", 5.2, 2.8, 1.8),
)
ODD_BITS, ODD_MS = 970, 2.8
NO_OPENSSL = "the program openssl is not installed"
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


def _answer(command: list[str]) -> str:
    return subprocess.run(  # noqa: S603  # the program found above
        command, capture_output=True, text=True, errors="replace", check=False
    ).stdout


def claim_rows() -> list[Row]:
    """Return the ratios that the text states, computed from the times that it states."""
    rows = []
    for what, theirs, ours, printed in CLAIMS:
        ratio = round(theirs / ours, 2)
        rows.append(
            compare(f"{what}: slower by", printed, ratio, within=0.05, unit="times", source="computed")
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


def software_rows(*, measured: bool) -> list[Row]:
    """Return the decryption times of OpenSSL here, of the paper's software, and of our hardware."""
    rows = []
    for bits, then_ms in ((512, 9.1), (1024, 43.3)):
        half = design(4, bits // 2)
        counted = blum01.power_cycles(bits // 2, half.digits, 4)
        period_ns = clock_ns(half)
        hardware: Entry = None if period_ns is None else round(counted * period_ns * 1e-6, 3)
        note = NOT_RECORDED if period_ns is None else f"{counted:,} clocks of {period_ns:.2f} ns, two engines"
        rows.append(
            compare(
                f"{bits} bit, hardware, ECP5",
                PARALLEL_MS[bits],
                hardware,
                note,
                reason=OTHER_DEVICE,
                within=TOLERANCE,
                unit="ms",
                source="recorded",
            )
        )
        time_ms, source = openssl_ms(bits) if measured else (None, "not measured in the preview")
        rows.append(
            compare(
                f"{bits} bit, software",
                then_ms,
                time_ms and round(time_ms, 4),
                f"{source}, one core here",
                reason="a processor of today",
                within=TOLERANCE,
                unit="ms",
                source="timed",
            )
        )
        if time_ms is not None and isinstance(hardware, float):
            rows.append(
                compare(
                    f"{bits} bit, software : hardware",
                    round(then_ms / PARALLEL_MS[bits], 1),
                    round(time_ms / hardware, 3),
                    reason="a processor of today beside a small FPGA",
                    within=TOLERANCE,
                    printed=False,
                    source="timed",
                )
            )
    return rows


def clock_row() -> Row:
    """Return the clock that follows from 3.10 ms."""
    megahertz = round(blum01.power_cycles(512, 128, 4) / 3.1e3, 1)
    note = "3.10 ms are rounded"
    return compare("clock of 2 × 512 bit", 45.6, megahertz, note, within=0.006, unit="MHz", source="computed")


def comparison(*, measured: bool) -> list[Row]:
    """Return the rows of the comparison, with software measured here or without."""
    return [*claim_rows(), odd_length_row(), clock_row(), *software_rows(measured=measured)]

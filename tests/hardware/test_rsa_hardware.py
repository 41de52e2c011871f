"""RSA on simulated hardware, in halves on one engine or two: equal to software, or no result at all."""

from pathlib import Path

import pytest

from conftest import Cli
from monpro.cores import Result
from monpro.cores.systolic import Systolic
from monpro.hardware import rsa
from monpro.hardware.exponentiation import Simulated
from monpro.rsa import PrivateKey

MESSAGE = b"the message"


@pytest.fixture(scope="module")
def key() -> PrivateKey:
    """Return a key of 512 bits."""
    return PrivateKey.generate(512)


@pytest.mark.parametrize("name", ["systolic", "systolic-rtl"])
def test_rsa_512_by_halves_is_software_and_takes_the_papers_cycles(name: str, key: PrivateKey) -> None:
    """[blum01, Table 4]: 2·2(n + 2)(m + 10) clocks in turn with m = 64, half of that on two engines."""
    engine = rsa.find(name)
    block = key.public_key.encode(MESSAGE, padding="pkcs1v15")
    octets = key.public_key.raw(block)
    half, overhead = 2 * (256 + 2) * (64 + 10), Systolic(256).overhead_cycles
    for engines in (1, 2):
        operation = rsa.private_power(engine, key, octets, engines)
        assert operation.value.to_bytes(64, "big") == block
        assert max(operation.cycles) <= half + overhead
        expected = sum(operation.cycles) if engines == 1 else max(operation.cycles)
        assert operation.total_cycles == expected > (2 // engines) * half * 0.9


@pytest.mark.parametrize("name", ["systolic", pytest.param("systolic-rtl", marks=pytest.mark.slow)])
def test_encryption_is_software_and_takes_the_papers_cycles(name: str, key: PrivateKey) -> None:
    """[blum01, Table 3]: 2·19(m + 10) clocks."""
    block = key.public_key.encode(MESSAGE, padding="pkcs1v15")
    operation = rsa.public_power(rsa.find(name), key.public_key, block)
    assert operation.value.to_bytes(64, "big") == key.public_key.raw(block)
    assert operation.cycles == (2 * 19 * (128 + 10) + Systolic(512).overhead_cycles,)


@pytest.mark.slow
def test_rsa_1024_by_halves_in_rtl() -> None:
    key = PrivateKey.generate(1024)
    engine = rsa.find("systolic-rtl")
    block = key.public_key.encode(MESSAGE)
    operation = rsa.private_power(engine, key, key.public_key.raw(block))
    assert operation.value.to_bytes(128, "big") == block


def test_another_core_does_it_too(key: PrivateKey) -> None:
    operation = rsa.private_power(rsa.find("scs-mm-2"), key, bytes(63) + b"\5")
    assert operation.value == int.from_bytes(key.raw(bytes(63) + b"\5"), "big")


def break_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Simulated.power

    def wrong(self: Simulated, x: int, e: int, n: int) -> Result:
        product = right(self, x, e, n)
        return Result((product.z + 1) % n, product.cycles)

    monkeypatch.setattr(Simulated, "power", wrong)


def test_a_wrong_result_is_withheld(key: PrivateKey, monkeypatch: pytest.MonkeyPatch) -> None:
    break_engine(monkeypatch)
    engine, octets = rsa.find("systolic"), bytes(63) + b"\2"
    with pytest.raises(RuntimeError, match="withheld"):
        rsa.private_power(engine, key, octets)
    with pytest.raises(RuntimeError, match="withheld"):
        rsa.public_power(engine, key.public_key, octets)


@pytest.fixture
def files(key: PrivateKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a key, its public half, and a message."""
    monkeypatch.chdir(tmp_path)
    Path("key").write_text(key.to_pem())
    Path("public").write_text(key.public_key.to_pem())
    Path("message").write_bytes(MESSAGE)
    return tmp_path


def test_the_command_line_says_the_cycles(cli: Cli, files: Path) -> None:
    engine = ("--engine", "systolic")
    pkcs = ("--padding", "pkcs1v15")
    public = ("rsa", "encrypt", "--key", "public", "--in", "message", "--out", "ciphertext", *pkcs)
    status, output, errors = cli(*public, *engine)
    assert (status, output) == (0, "")
    clocks = 2 * 19 * (512 // 4 + 10) + Systolic(512).overhead_cycles
    assert errors.splitlines()[0] == f"systolic agrees: {clocks:,} clock cycles"
    private = ("rsa", "decrypt", "--key", "key", "--in", "ciphertext", "--out", "back", *pkcs)
    for engines, says in (("1", "by halves in turn"), ("2", "by halves at once on two engines")):
        status, _, errors = cli(*private, *engine, "--engines", engines)
        assert (status, says in errors) == (0, True)
        assert (files / "back").read_bytes() == MESSAGE
        (files / "back").unlink()
    says = cli.complaint(*private, "--engines", "2")
    assert "--engines: name the core with --engine" in says
    assert not (files / "back").exists()
    sign = ("rsa", "sign", "--key", "key", "--in", "message", "--out", "signature")
    assert "agrees" in cli(*sign, *engine)[2]
    verify = ("rsa", "verify", "--key", "public", "--in", "message", "--signature", "signature")
    status, output, errors = cli(*verify, *engine)
    assert (status, output) == (0, "the signature is good\n")
    assert "agrees" in errors


def test_nothing_is_written_where_the_engine_is_wrong(
    cli: Cli, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_engine(monkeypatch)
    arguments = ("--in", "message", "--out", "out", "--engine", "systolic")
    commands: tuple[tuple[str, ...], ...] = (
        ("encrypt", "--key", "public", "--padding", "pkcs1v15"),
        ("sign", "--key", "key"),
    )
    for command in commands:
        status, _, errors = cli("rsa", *command, *arguments)
        assert (status, "withheld" in errors) == (1, True)
        assert not (files / "out").exists()
    says = cli.complaint("rsa", *commands[1], *arguments[:-1], "none")
    assert "there is no hardware engine 'none'" in says
    assert "systolic-rtl" in says

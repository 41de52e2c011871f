"""Vectors of NIST: signatures of FIPS 186-3, key agreement of SP 800-56A."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from monpro.dh import Group
from monpro.rsa import PublicKey

FOLDER = Path(__file__).resolve().parents[1] / "vectors" / "nist"


def cases(name: str) -> Iterator[dict[str, str]]:
    """Yield the values of each case, with those that were stated before and hold for several."""
    values = {}
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        key, _, values[key] = line.partition(" = ")
        if key == "Result":
            yield dict(values)


def public_key(case: dict[str, str]) -> PublicKey:
    numbers = rsa.RSAPublicNumbers(int(case["e"], 16), int(case["n"], 16))
    form = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    return PublicKey.from_der(numbers.public_key().public_bytes(*form))


@pytest.mark.parametrize("padding", ["pkcs1v15", "pss"])
def test_signatures(padding: Any) -> None:
    counts: Counter[str] = Counter()
    for case in cases("SigVer15_186-3" if padding == "pkcs1v15" else "SigVerPSS_186-3"):
        message, signature = bytes.fromhex(case["Msg"]), bytes.fromhex(case["S"])
        arguments: dict[str, Any] = {"padding": padding, "hash": case["SHAAlg"].lower()}
        if padding == "pss":
            arguments["salt_length"] = len(bytes.fromhex(case["SaltVal"]))
        verdict = public_key(case).verify(message, signature, **arguments)
        assert verdict is (case["Result"] == "P"), case
        counts[case["Result"][:4]] += 1
    # Five sizes of keys and five hash functions.
    assert counts == {"P": 25, **{f"F ({reason}": 25 for reason in range(1, 6)}}


def test_key_agreement() -> None:
    """A case that fails has a wrong value of the peer, or a key or secret that is not the one computed."""
    counts: Counter[str] = Counter()
    for case in cases("KASValidityTest_FFCStatic_NOKC_ZZOnly_init"):
        group = Group.integers(*(int(case[name], 16) for name in "PGQ"))
        own = group.private_key(number(case["XstatIUT"], group.private_octets))
        result = case["Result"].removeprefix("F (").removeprefix("P (").partition(" ")[0]
        is_own = own.public == number(case["YstatIUT"], group.octets)
        assert is_own is (result not in {"3", "4"}), case
        counts[result] += 1
        peer = number(case["YstatCAVS"], group.octets)
        if result == "1":
            with pytest.raises(ValueError, match=r"outside the generator's group|not below|end the exchange"):
                own.agree(peer)
        elif is_own:
            assert (own.agree(peer) == number(case["Z"], group.octets)) is (result != "5"), case
    assert counts == {"0": 42, "10": 6, "1": 6, "3": 6, "4": 6, "5": 6}


def number(digits: str, octets: int) -> bytes:
    """Return a number in hexadecimal digits, big-endian, in this many bytes."""
    return int(digits, 16).to_bytes(octets)

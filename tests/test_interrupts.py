"""Ctrl-C ends every long call of the Python interface, and the computation behind it ends soon after.

Each call has a process of its own, which interrupts itself. It would take far longer than it may take after
the interrupt. The interface promises 0.2 seconds; the margin above that is for a machine that does much else.
"""

import json
import subprocess
import sys
from typing import Any

import pytest

AFTER_SECONDS = 0.3  # to the interrupt
PROMISED_SECONDS = 0.2
MARGIN_SECONDS = 0.8
STOPPED_SECONDS = 5  # to the end of the computation, whose last step may be a long product

PROGRAM = """
import json, os, signal, sys, threading, time
import monpro
from monpro import dh, rsa

def threads():
    return len(os.listdir("/proc/self/task"))

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what runs in the background
{prepare}
interrupted = []
def interrupt():
    interrupted.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

before = threads()
timer = threading.Timer({after}, interrupt)
timer.start()
try:
    {call}
    ended = None
except KeyboardInterrupt:
    ended = time.monotonic() - interrupted[0]
timer.join()
start = time.monotonic()
while threads() > before and time.monotonic() - start < 30:
    time.sleep(0.02)
print(json.dumps({{"ended": ended, "stopped": time.monotonic() - start}}))
"""

N = "n = (1 << 20001) - 1; e = (1 << 400_000) - 3; modulus = monpro.Modulus(n)"
BYTES = "n = b'\\xff' * 128; e = b'\\xfe' * (1 << 25)"
FIELD = "field = monpro.BinaryField([2281, 715, 0], kernel='cios-gf2-w8-emulation')"
GROUP = FIELD + "; group = dh.Group.binary_field(field(2))"
HUGE = "n = (1 << 1_000_000) - 1"
COPRIME = "a = 3**600_000; b = 5**400_000"

MESSAGE = (
    "message = bytes(5 << 26); key = rsa.PrivateKey.generate(2048)"  # seconds to hash, without a checkpoint
)

COLUMNS = (
    "column = monpro._native.Column(b'\\xff' * (512 * 30_000), width=512, rows=30_000);"
    "out, statuses = bytearray(512 * 30_000), bytearray(30_000)"
)

CALLS = {
    "pow": (N, "monpro.pow(3, e, n)"),
    "pow, even": (N, "monpro.pow(3, e, n - 1)"),
    "pow, negative exponent": (N, "monpro.pow(-2, -e, n)"),
    "pow, binary method": (N, "monpro.pow(3, e, n, method='binary_vartime')"),
    "pow, sliding window": (N, "monpro.pow(3, e, n, method='sliding_window_vartime')"),
    "pow, huge modulus": (HUGE, "monpro.pow(3, n, n)"),
    "pow, inverse modulo a huge number": (HUGE, "monpro.pow(3 << 500_000, -1, n - 2)"),
    "Modulus.pow": (N, "modulus.pow(3, e)"),
    "Modulus.multi_pow": (N, "modulus.multi_pow([(3, e), (5, e)])"),
    "Residue **": (N, "modulus(3) ** e"),
    "FixedBase": (N, "monpro.FixedBase(modulus(3), 1_000_000)"),
    "powmod_base_list": (N, "monpro.powmod_base_list([3, 5, 7, 11] * 4, e, n)"),
    "powmod_exp_list": (N, "monpro.powmod_exp_list(3, [e, e - 2], n - 1, threads=1)"),
    "pow_list": (N, "monpro.pow_list([(3, e, n), (5, e, n - 1), (3, -e, n)], threads=3)"),
    "modexp": (BYTES, "monpro.modexp(b'\\x03', e, n)"),
    "modexp, even": (BYTES, "monpro.modexp(b'\\x03', e, n[:-1] + b'\\xfe')"),
    "modexp_vartime": (BYTES, "monpro.modexp_vartime(b'\\x03', e, n)"),
    "modexp_vartime, 512 bits": (BYTES, "monpro.modexp_vartime(b'\\x03', e * 4, n[:64])"),
    "Residue /": (HUGE, "1 / monpro.Modulus(n - 2)(3 << 500_000)"),
    "compute_columns": (COLUMNS, "monpro._native.compute_columns('pow', [column] * 3, out, 512, statuses)"),
    "gcd": (COPRIME, "monpro.gcd(a, b)"),
    "gcdext": (COPRIME, "monpro.gcdext(a, b)"),
    "crt": (COPRIME, "monpro.crt([1, 2], [a, b])"),
    "jacobi": (COPRIME, "monpro.jacobi(a, b)"),
    "is_prime": ("n = (1 << 110_503) - 1", "monpro.is_prime(n)"),
    "next_prime": ("", "monpro.next_prime(1 << 20_000)"),
    "sqrt_mod": ("p = (1 << 86_243) - 1", "monpro.sqrt_mod(1 << 40_001, p)"),
    "sqrt_mod, p = 1 mod 4": ("p = 3 * (1 << 80_190) + 1", "monpro.sqrt_mod(7, p)"),
    "rsa.PrivateKey.generate": ("", "rsa.PrivateKey.generate(16384)"),
    "rsa.PrivateKey.sign": (MESSAGE, "key.sign(message, hash='sha3_512')"),
    "rsa.PrivateKey.decrypt": (MESSAGE, "key.decrypt(bytes(256), label=message, hash='sha3_512')"),
    "rsa.PublicKey.verify": (MESSAGE, "key.public_key.verify(message, bytes(255) + b'1', hash='sha3_512')"),
    "rsa.PublicKey.encrypt": (MESSAGE, "key.public_key.encrypt(b'', label=message, hash='sha3_512')"),
    "dh.Group.private_key": (GROUP, "group.private_key(b'\\x7f' * group.private_octets)"),
    "BinaryField": ("", "monpro.BinaryField([65536, 1, 0], kernel='standard-gf2')"),
    "FieldElement.inv": (FIELD, "field(2).inv()"),
    "FieldElement **": (FIELD, "field(2) ** (1 << 100_000)"),
}


def interrupted(name: str) -> Any:
    prepare, call = CALLS[name]
    program = PROGRAM.format(prepare=prepare, call=call, after=AFTER_SECONDS)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, timeout=120
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_ends_the_call_and_its_computation(name: str) -> None:
    told = interrupted(name)
    assert told["ended"] is not None, "the call ended before the interrupt"
    assert told["ended"] < PROMISED_SECONDS + MARGIN_SECONDS
    assert told["stopped"] < STOPPED_SECONDS

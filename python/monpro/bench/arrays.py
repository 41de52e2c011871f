"""The speed of arrays over GF(2^k) beside `galois`, if it is installed.

`python -m monpro.bench.arrays results` records the times below the folder. Both libraries have the same
polynomial and get the same elements, and the answers are compared before the clock starts.
"""

import importlib
import importlib.util
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import monpro
from monpro.arrays import FieldArray, random
from monpro.bench.timing import interleave
from monpro.files import write_whole
from monpro.results import machine

DEGREES = (8, 16, 32)
COUNT, ORDER = 1_000_000, 1000
ROUNDS = 5
FILE = "arrays.json"

Operation = Callable[[Any, Any], Any]
# Of two arrays of COUNT elements that are not 0, and of two square matrices.
OF_ARRAYS: dict[str, Operation] = {
    "product": lambda x, y: x * y,
    "inverse": lambda x, _: np.reciprocal(x),
}
OF_MATRICES: dict[str, Operation] = {"matrix-product": lambda x, y: x @ y}


def record(results: Path, rounds: int = ROUNDS) -> Path:
    """Time all operations in all fields, and write the figures below the folder."""
    galois: Any = importlib.import_module("galois")
    figures: list[dict[str, object]] = []
    for k in DEGREES:
        field = monpro.BinaryField(monpro.primitive_poly(k))
        theirs = galois.GF(2**k, irreducible_poly=galois.Poly.Int(field.polynomial), verify=False)
        x, y = (_units(field, seed) for seed in (1, 2))
        for operations, shape in ((OF_ARRAYS, (COUNT,)), (OF_MATRICES, (ORDER, ORDER))):
            ours = [array.reshape(shape) for array in (x, y)]
            operands = {"monpro": ours, "galois": [theirs(np.asarray(array)) for array in ours]}
            for name, operation in operations.items():
                figures += _race(k, name, operation, operands, rounds)
    libraries = {"monpro": monpro.__version__, "galois": galois.__version__}
    software = f"Python {platform.python_version()} with NumPy {np.__version__}"
    of = {"cpu": machine.cpu_model(), "python": software, "date": machine.today(), "libraries": libraries}
    path = results / machine.folder_of_today() / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps({"machine": of, "rounds": rounds, "figures": figures}, indent=1) + "\n")
    return path


def _units(field: monpro.BinaryField, seed: int) -> FieldArray:
    array = random(field, COUNT, seed=seed)
    array[array == 0] = 1
    return array


def _race(
    k: int, name: str, operation: Operation, operands: dict[str, list[Any]], rounds: int
) -> list[dict[str, object]]:
    ours, theirs = (np.asarray(operation(*arrays)) for arrays in operands.values())
    if not np.array_equal(ours, theirs):
        raise ArithmeticError(f"monpro and galois differ in the {name} in GF(2^{k})")
    tasks = {library: _timed(operation, arrays) for library, arrays in operands.items()}
    timings = interleave(tasks, rounds, lambda: None)
    return [
        {
            "operation": name,
            "bits": k,
            "library": library,
            "median_ns": timing.seconds * 1e9,
            "spread": timing.spread,
        }
        for library, timing in timings.items()
    ]


def _timed(operation: Operation, arrays: list[Any]) -> Callable[[], float]:
    """Return a function that measures one run, in all threads: long products have one of their own."""

    def seconds() -> float:
        started = time.process_time()
        operation(*arrays)
        return time.process_time() - started

    return seconds


if __name__ == "__main__":
    if importlib.util.find_spec("galois") is None:
        sys.stdout.write(
            "arrays are not measured, because galois is not installed: python -m pip install galois\n"
        )
    else:
        sys.stdout.write(f"{record(Path(sys.argv[1]))}\n")

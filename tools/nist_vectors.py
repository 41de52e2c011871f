"""Write vectors/nist/: what the tests need of NIST's Cryptographic Algorithm Validation Program.

`python tools/nist_vectors.py FOLDER` reads the files below FOLDER, the unpacked wheel of the Python package
cryptography_vectors, and keeps the first key of each size and the lines that the tests read. The files are
works of the United States government, in the public domain.
"""

import sys
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "vectors" / "nist"
ASYMMETRIC = Path("cryptography_vectors", "asymmetric")
RSA = ASYMMETRIC / "RSA" / "FIPS_186-2"
SIGNATURE_LINES = ("n", "SHAAlg", "e", "Msg", "S", "SaltVal", "Result")
# Each file, and the lines that are kept.
FILES = {
    RSA / "SigVer15_186-3.rsp": SIGNATURE_LINES,
    RSA / "SigVerPSS_186-3.rsp": SIGNATURE_LINES,
    ASYMMETRIC / "DH" / "KASValidityTest_FFCStatic_NOKC_ZZOnly_init.fax": (
        *("P", "Q", "G"),
        *("YstatCAVS", "XstatIUT", "YstatIUT", "Z", "Result"),
    ),
}


def kept(text: str, names: tuple[str, ...]) -> str:
    """Return the lines with these names, of the first key after each heading in brackets."""
    lines, keys = [], 0
    for line in text.splitlines():
        name, _, value = (part.strip() for part in line.partition("="))
        keys = 0 if line.startswith("[") else keys + (name == "n")
        if name in names and keys <= 1:
            lines.append(f"{name} = {value.lstrip('0') if name == 'e' else value}")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the files; return 0."""
    [folder] = map(Path, sys.argv[1:])
    for path, names in FILES.items():
        text = kept((folder / path).read_text(), names)
        (TARGET / path.name).with_suffix(".txt").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

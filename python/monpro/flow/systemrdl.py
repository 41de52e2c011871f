"""The registers of a bus slave in SystemRDL 2.0, from which other tools write headers, tests and pages."""

from collections.abc import Iterator, Mapping

from monpro.cores import Design
from monpro.flow.registers import Access, Field, Register

PROPERTIES: dict[Access, str] = {
    "read": "sw = r; hw = w;",
    "write": "sw = w; hw = r;",
    "read and write": "sw = rw; hw = rw;",
    "read, write 1 to clear": "sw = rw; onwrite = woclr; hw = rw;",
}


def systemrdl(core: Design, top: str, registers: Mapping[str, Register]) -> dict[str, str]:
    """Return the address map of the slave around a core by file name."""
    lines = [
        f"addrmap {top} {{",
        f"  desc = {_text(core.title)};",
        "  default regwidth = 32;",
        "  default accesswidth = 32;",
        "  lsb0;",
        "",
        *(line for name, register in registers.items() for line in _register(name, register)),
        "};",
    ]
    return {f"{top}.rdl": "\n".join(lines) + "\n"}


def _register(name: str, register: Register) -> Iterator[str]:
    desc = register.meaning + (f". Refused: {register.refused}" if register.refused else "")
    yield "  reg {"
    yield f"    desc = {_text(desc)};"
    for field in register.fields or (Field("word", 0, register.access, register.meaning),):
        bits = f"{field.bit}:{field.bit}" if register.fields else "31:0"
        properties = f"{PROPERTIES[field.access]} desc = {_text(field.meaning)};"
        yield f"    field {{ {properties} }} {field.name}[{bits}];"
    many = f"[{register.words}]" if register.words > 1 else ""
    yield f"  }} {name}{many} @ {register.offset:#x};"


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

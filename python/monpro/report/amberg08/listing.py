"""The algorithms of [amberg08, Figs. 1 to 3] in the paper's notation, from the source of their specs."""

import inspect
import re
from collections.abc import Callable

from monpro.report.draw.drawing import MARGIN, RULE, Drawing
from monpro.report.draw.listing import LINE_HEIGHT, Line, write

WIDTH, TOP = 720, 112
SUBTITLE = "[amberg08, Fig. {}], written from monpro.spec.amberg08.{}"

_SUM = "(C, Z^{j}) = {Z^{j+1}_{v−1:0}, Z^{j}_{w−1:v}} + C + Q^{i} × M̂^{j} + X^{i} × Y^{j}"
PRINTED = (  # a line of the source, and the lines that it is in print; lines without an entry are not printed
    (r"Z = X \* Y", ("Z = X × Y",)),
    (r"Q = Z \* M_prime % R", ("Q = Z × M' mod R",)),
    (r"Z = \(Z \+ Q \* M\) // R", ("Z = [Z + Q × M] / R",)),
    (r"return Z - M if Z >= M else Z", ("if Z ≥ M then Z = Z − M",)),
    (r"Z = \[0\] \* \(e \+ 1\)", ("Z = 0",)),
    (r"for i in range\(lengths\.f\):", ("for i = 0 to f − 1",)),
    (r"(Q_before, )?Q = (Q, )?Z\[0\] % \(1 << v\)", ("Q^{i} = Z^{0} mod 2^{v}",)),
    (
        r"x, q = booth\(X_\[i\], X_before, v\), booth\(Q, Q_before, v\)",
        ("Q^{i} = Booth(Q^{i}, Q_{v−1}^{i−1})", "X^{i} = Booth(X^{i}, X_{v−1}^{i−1})"),
    ),
    (r"C\.value = 0", ("C = 0",)),
    (r"for j in range\(e\):", ("for j = 0 to e − 1",)),
    (
        (
            r"Z\[j\] = C\.split\(shifted\(Z, j, v, w\) \+ C\.value"
            r" \+ [Qq] \* M_hat\[j\] \+ (X_\[i\]|x) \* Y_\[j\], w\)"
        ),
        (_SUM,),
    ),
    (r"if corrects and top_bit\(Q, v\) == 1:", ("if Q_{v−1}^{f−1} = 1",)),
    (r"for j, addend in enumerate\(words\(\(1 << v\) \* m_hat\(M, v\), w, e\)\):", ("for j = 0 to e − 1",)),
    (r"Z\[j\] = C\.split\(Z\[j\] \+ C\.value \+ addend, w\)", ("(C, Z^{j}) = Z^{j} + C + 2^{v} M̂^{j}",)),
)


def lines(algorithm: Callable[..., object], names: dict[str, str]) -> list[Line]:
    """Return the printed lines of a spec; `names` gives the names that stand before some of them."""
    found = []
    for source in inspect.getsource(algorithm).splitlines():
        code = source.partition("  #")[0]
        depth = (len(code) - len(code.lstrip())) // 4 - 1
        for pattern, texts in PRINTED:
            if re.fullmatch(pattern, code.strip()):
                found += [Line(names.get(text, ""), depth, text) for text in texts]
    return found


def listing(
    figure: int, title: str, algorithm: Callable[..., object], names: dict[str, str], notes: tuple[str, ...]
) -> Drawing:
    """Return an algorithm as a drawing, with notes below."""
    steps = lines(algorithm, names)
    height = TOP + LINE_HEIGHT * len(steps) + 40 * len(notes) + 30
    drawing = Drawing(WIDTH, height, title, SUBTITLE.format(figure, algorithm.__name__))
    drawing.line((MARGIN, TOP - 26), (WIDTH - MARGIN, TOP - 26), RULE)
    y = write(drawing, steps, MARGIN, TOP, names_width=92 if names else 8)
    drawing.line((MARGIN, y - 8), (WIDTH - MARGIN, y - 8), RULE)
    for note in notes:
        y = drawing.paragraph(MARGIN, y + 14, note, WIDTH - 2 * MARGIN, size=12)
    return drawing

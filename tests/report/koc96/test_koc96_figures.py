"""Figures 1 to 3 of [koc96]: well-formed drawings that show the products of the traced run."""

import re
from collections import Counter

import drawings
from monpro.report import Figure, select
from monpro.report.koc96 import trace
from monpro.spec import koc96


def drawn(identity: str) -> list[str]:
    """Return a figure's texts."""
    (item,) = select(identity)
    figure = item.build()
    assert isinstance(figure, Figure)
    return drawings.texts(drawings.parsed(figure.svg))


def shown(texts: list[str]) -> Counter[str]:
    """Return the products among the texts, without their position in the order."""
    return Counter(found[0] for text in texts if (found := re.search(r"a\db\d$|m\(\d\)n\d$", text)))


def traced(method: koc96.Method) -> Counter[str]:
    """Return the products a[j]*b[i] and m*n[j] that a run executes, as the figures write them."""
    found: Counter[str] = Counter()
    iteration = -1
    for product in trace.products(trace.trace(method)):
        iteration += product.right.startswith("n'")
        if product.left == "m[0]":
            found[drawings.written(product.label.replace("m", trace.power("m", iteration)))] += 1
        elif not product.right.startswith("n'"):
            found[drawings.written("".join(sorted((product.label[:2], product.label[2:]))))] += 1
    return found


def test_figure_1_shows_every_product_of_sos() -> None:
    texts = drawn("koc96.figure1")
    assert shown(texts) == traced(koc96.sos)
    assert sum(traced(koc96.sos).values()) == 2 * 4 * 4


def test_figure_1_shows_the_words_of_the_product_and_of_u() -> None:
    words = [text for text in drawn("koc96.figure1") if re.fullmatch(r"[0-9a-f]{2}", text)]
    product = trace.X * trace.Y
    assert [f"{product >> 8 * k & 255:02x}" for k in range(8)] == words[:8]


def test_figure_1_multiplies_n0_by_each_word_of_t() -> None:
    """[koc96, Fig. 1]: "n0' is multiplied by each word of t to find m"; t as far as it has been reduced."""
    n0_prime = -pow(trace.MODULUS, -1, 256) % 256
    t, found = trace.X * trace.Y, []
    for i in range(4):
        word = t >> 8 * i & 255
        m = n0_prime * word % 256
        found.append(f"= {n0_prime:02x} × {word:02x} = {m:02x}")
        t += m * trace.MODULUS << 8 * i
    assert [text for text in drawn("koc96.figure1") if text.startswith("= ")] == found


def test_figure_2_shows_the_products_of_one_iteration_in_their_order() -> None:
    texts = drawn("koc96.figure2")
    placed = [re.match(r"(\d):  (\S+)", text) for text in texts]
    order = {int(found[1]): found[2] for found in placed if found}
    assert sum(shown(texts).values()) == 2 * 4
    assert order.pop(2) == "m(1)"
    assert [order[place] for place in sorted(order)] == [
        label for j in range(4) for label in (f"a{j}b1", f"m(1)n{j}")
    ]


def test_figure_3_shows_all_of_a_times_b_and_one_multiple_of_n() -> None:
    texts = drawn("koc96.figure3")
    all_of_it = traced(koc96.cihs)
    assert shown(texts) == Counter(
        {label: count for label, count in all_of_it.items() if label[0] == "a" or label.startswith("m(1)")}
    )
    assert {"PC0", "PS0", "PC1", "PS1", "PC2", "PS2"} <= set(texts)


def test_figure_3_adds_up() -> None:
    """With the drawn words, the shifted t plus the pair of iteration 1 equals the t after it."""
    texts = drawn("koc96.figure3")
    x, y = ([number >> 8 * k & 255 for k in range(4)] for number in (trace.X, trace.Y))
    words = [text for text in texts if len(text) == 2 and all(digit in "0123456789abcdef" for digit in text)]
    shifted, after = (int("".join(reversed(part)), 16) for part in (words[12:17], words[17:22]))
    assert after - shifted == (x[3] * y[2] + x[2] * y[3]) << 24

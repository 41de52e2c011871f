"""Sets a page in a real browser, at several widths, and finds what would be cut off."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conftest import TOOL_LACKS

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS = 180
# Opens every part of the page that is folded. An element is cut off if it ends beyond the width, or if its
# content is wider than itself. Pictures count as a whole.
MEASURE = """<!doctype html><meta charset="utf-8"><body><script>
const page = PAGE, widths = WIDTHS, found = {};
for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.style = `border: 0; width: ${width}px; height: 900px`;
  frame.onload = () => {
    const inner = frame.contentDocument, cut = [];
    inner.querySelectorAll("details").forEach(part => part.open = true);
    for (const element of inner.querySelectorAll("body, body *")) {
      if ((element.closest("svg") && element.tagName !== "svg") || element.closest("thead")) continue;
      const box = element.getBoundingClientRect(), shown = getComputedStyle(element).display;
      const has = element.clientWidth, wider = shown !== "inline" && has && element.scrollWidth > has + 1;
      if (box.right > width + 1 || box.left < -1 || wider)
        cut.push(`${element.tagName} ${element.textContent.trim().slice(0, 60)}`);
    }
    const top = selector => inner.querySelector(selector).getBoundingClientRect().top;
    const text = Math.min(...[...inner.querySelectorAll("figure:not(.drawing) svg")].map(
      svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width));
    found[width] = {cut, picture: top("svg"), table: top("table"), scale: text};
    if (Object.keys(found).length === widths.length) {
      const told = document.createElement("pre");
      told.id = "found";
      told.textContent = JSON.stringify(found);
      document.body.replaceChildren(told);
    }
  };
  frame.srcdoc = page;
  document.body.append(frame);
}
</script>"""


def browser() -> str:
    """Return the path of a browser; the test is skipped loudly without one."""
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    pytest.skip(f"{TOOL_LACKS}: chromium is not installed: apt-get install chromium")


def measure(page: str, widths: tuple[int, ...], folder: Path) -> dict[int, dict[str, Any]]:
    """Return for each width what is cut off, and the heights at which the first picture and table begin.

    `scale` is the smallest ratio of a picture's size on the page to the size for which it was drawn.
    """
    script = MEASURE.replace("PAGE", json.dumps(page).replace("</", "<\\/")).replace(
        "WIDTHS", str(list(widths))
    )
    wrapper = folder / "measure.html"
    wrapper.write_text(script, encoding="utf-8")
    options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=60000", "--dump-dom")
    ended = subprocess.run(
        [browser(), *options, f"--user-data-dir={folder / 'profile'}", wrapper.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', ended.stdout, re.DOTALL)
    assert found, ended.stderr
    return {int(width): told for width, told in json.loads(html.unescape(found[1])).items()}

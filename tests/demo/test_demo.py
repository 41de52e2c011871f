"""The demo: its jobs, its checks, its page."""

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from monpro import report
from monpro.cli import main
from monpro.cores import Result
from monpro.demo import core_jobs, jobs, plots, product_times
from monpro.engines import Engine, available_kernels, kernel_engines
from monpro.flow import tools
from monpro.flow.synthesis_records import Synthesised
from monpro.hardware import exponentiation
from monpro.report.papers import short_title
from monpro.results import sweep

QUICK = {"koc96.table2", "koc97.figure1", "koc96.claim.additions"}  # items of the papers
SMALL = ["demo", "--bits", "1024", "--core-bits", "64"]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the demo: fewer rounds, and small jobs so that more engines run."""
    monkeypatch.setattr(jobs, "ROUNDS", 2)
    monkeypatch.setattr(jobs, "SLOW_SECONDS", 0.02)
    monkeypatch.setattr(product_times, "ROUNDS", 1)
    monkeypatch.setattr(report, "_ITEMS", tuple(item for item in report.catalogue() if item.id in QUICK))


def test_the_rsa_job_is_a_signature() -> None:
    job = jobs.rsa_job(1024)
    assert pow(job.x, job.e, job.n) == job.expected
    block = job.x.to_bytes(128, "big")
    assert block.startswith(b"\x00\x01\xff\xff"), "the padded block of PKCS #1 version 1.5"
    assert str(job.e) not in repr(job)


def test_every_engine_does_a_job_right() -> None:
    plans = jobs.plan(1024)
    steps: list[None] = []
    done: list[str] = []
    for plan in plans:
        section = jobs.run(plan.make_job(), plan.engines, lambda: steps.append(None))
        assert section.correct
        assert [outcome.engine for outcome in section.outcomes] == list(plan.engines)
        assert min(outcome.ratio or 0 for outcome in section.outcomes) == 1
        json.dumps(section.as_dict())
        done += [outcome.engine.name for outcome in section.outcomes]
    assert len(steps) == jobs.count_measurements(plans)
    assert sorted(done) == sorted(engine.name for engine in kernel_engines() if engine.available)


def test_a_slow_engine_does_a_small_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        jobs, "estimated_seconds", lambda engine, _: 1.0 if engine.name == "cios-gf2" else 0.01
    )
    sizes: dict[str, set[int]] = {}
    for plan in jobs.plan(1024):
        bits = plan.make_job().bits
        for engine in plan.engines:
            sizes.setdefault(engine.name, set()).add(bits)
    assert sizes["cios-gf2"] == {jobs.SMALL_BITS}
    assert sizes["fips-gf2"] == {1024}


def sabotage(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let one engine compute a wrong result."""

    def sabotaged(engine: Engine) -> Engine:
        def power(x: int, e: int, n: int, **_: Any) -> int:
            return engine.power(x, e, n) ^ 1

        return dataclasses.replace(engine, power=power) if engine.name == name else engine

    monkeypatch.setattr(
        jobs,
        "available_kernels",
        lambda *ring_and_bits: [sabotaged(e) for e in available_kernels(*ring_and_bits)],
    )


@pytest.mark.parametrize("name", ["fios", "cihs-gf2-w32"])
def test_one_wrong_result_fails_the_demo(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sabotage(monkeypatch, name)
    assert main([*SMALL, "--output", str(tmp_path), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["correct"] is False
    wrong = [
        row["engine"] for section in data["sections"] for row in section["engines"] if not row["correct"]
    ]
    assert wrong == [name]
    assert "wrong" in (tmp_path / "index.html").read_text()


def test_the_table_of_a_demo_shows_a_wrong_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sabotage(monkeypatch, "fios")
    assert main([*SMALL, "--output", str(tmp_path)]) == 1
    output = capsys.readouterr().out
    assert "WRONG" in output
    assert "NOT ALL RIGHT" in output


@pytest.mark.parametrize("bits", [8, 33, pytest.param(97, marks=pytest.mark.slow)])
def test_every_core_does_its_job_right(bits: int) -> None:
    steps: list[None] = []
    section = core_jobs.run(core_jobs.make_job(bits), lambda: steps.append(None))
    assert section.correct
    assert [outcome.engine for outcome in section.outcomes] == core_jobs.runnable()
    assert len(steps) == len(section.outcomes)
    assert section.decryption.correct
    assert section.decryption.serial_cycles > 1.8 * section.decryption.parallel_cycles > 60_000
    assert min(outcome.ratio for outcome in section.outcomes) == 1
    for outcome in section.outcomes:
        model = dataclasses.replace(outcome.engine, rtl=False)
        least = next(other.cycles for other in section.outcomes if other.engine == model)
        assert outcome.cycles >= least
    assert " e=" not in repr(section), "the exponent is a secret"
    json.dumps(section.as_dict())


def test_without_verilator_the_models_run_and_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tools.Tool("verilator", "no-such-program", (5, 6), "apt-get install verilator", "sim")
    monkeypatch.setitem(tools.TOOLS, "verilator", missing)
    assert main([*SMALL, "--output", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    page = (tmp_path / "index.html").read_text()
    assert "RTL NOT RUN: it needs what is not here: no-such-program is not installed" in output
    assert "The RTL did not run" in page
    assert "scs-mm-new" in output
    assert "scs-mm-new-rtl" not in output + page


def test_a_wrong_core_fails_the_demo(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = exponentiation.Simulated.power

    def wrong(self: exponentiation.Simulated, x: int, e: int, n: int) -> Result:
        power = right(self, x, e, n)
        return Result(power.z ^ (self.name == "mscs-mm"), power.cycles)

    monkeypatch.setattr(exponentiation.Simulated, "power", wrong)
    assert main([*SMALL, "--output", str(tmp_path), "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["cores"]["engines"]
    assert [row["engine"] for row in rows if not row["correct"]] == ["mscs-mm"]
    assert "wrong" in (tmp_path / "index.html").read_text()


def test_the_plot_of_area_against_time_has_every_recorded_core(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = {"scs-mm-new-256": Synthesised(480_000, 2.5), "mm-256": Synthesised(300_000, 20.0)}
    monkeypatch.setattr(core_jobs, "recorded", lambda _target: figures | {"gone-256": Synthesised(1, 1)})
    points = core_jobs.area_times()
    assert [point.configuration for point in points] == ["scs-mm-new-256", "mm-256"]
    assert points[1].area_mm2 == pytest.approx(0.3)
    assert points[1].time_us == pytest.approx(257 * 20e-3)
    (svg,) = plots.area_times(points)
    assert "scs-mm-new" in svg
    assert "256 bits" in svg


class Links(HTMLParser):
    """Collects the elements of a page, and everything that it would load or links to."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.targets += [
            value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "data")
        ]


def test_the_demo_prints_a_table_and_writes_a_page_that_needs_no_network(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[jobs.Job] = []
    rsa_job = jobs.rsa_job

    def remembering(bits: int) -> jobs.Job:
        made.append(rsa_job(bits))
        return made[-1]

    monkeypatch.setattr(jobs, "rsa_job", remembering)
    assert main([*SMALL, "--output", str(tmp_path / "new")]) == 0
    output, errors = capsys.readouterr()
    page = (tmp_path / "new" / "index.html").read_text()
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"index.html", "report.html"}
    tables = [line for line in output.splitlines() if "file://" not in line]
    assert max(map(len, tables)) <= 100

    links = Links()
    links.feed(page)
    outside = {target for target in links.targets if not target.startswith("#")}
    assert outside == {"report.html", *(f"report.html#{name}" for name in QUICK)}, "nothing is loaded"
    assert not re.search(r"url\((?!#|&quot;#)|@import", page)
    assert "script" not in links.tags
    widths = {point.bits for point in core_jobs.area_times()}
    jobs_plotted = page.count("all figures</summary>") - 1  # the last table is that of the cores
    assert jobs_plotted >= 3
    recorded_plots = len(widths) + 2 * bool(sweep.recorded())
    curves = 2
    assert links.tags.count("svg") == jobs_plotted + curves + recorded_plots
    assert links.tags.count("details") == jobs_plotted + 1
    whole = (tmp_path / "new" / "report.html").read_text()
    for item in report.catalogue():
        assert f"<h3>{short_title(item.paper)}</h3>" in page
        assert f'<details id="{item.id}">' in whole
    for engine in (engine for engine in kernel_engines() if engine.available):
        assert engine.name in output
        assert f"<code>{engine.name}</code>" in page
    for core in core_jobs.runnable():
        assert core.name in output
        assert f"<code>{core.name}</code>" in page
    for text in (output, errors, page, whole):
        assert str(made[0].e) not in text
        assert f"{made[0].e:x}" not in text.lower()


def test_a_page_that_cannot_be_written_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("kept")
    assert main([*SMALL, "--output", str(tmp_path / "file")]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "kept"


def test_curves_and_plots() -> None:
    steps: list[None] = []
    measured = product_times.measure(lambda: steps.append(None))
    assert len(steps) == product_times.count_measurements()
    for curve in measured:
        assert curve.bits == product_times.SIZES
        assert curve.time_per_multiplication_ns[0] == curve.time_ns[0] / (2 * 4 * 4 + 4)
    pictures = plots.product_curves(measured)
    assert len(pictures) == 2
    for svg in pictures:
        assert svg.startswith("<svg role=")
        assert "#0000" not in svg, "every colour is a variable of the page"
        assert "var(--series-6)" in svg
        for curve in measured:
            assert f"{curve.kernel}</text>" in svg

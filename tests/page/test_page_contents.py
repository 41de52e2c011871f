"""What the page of `monpro report` says: recorded figures, errata, traces; each from its own source."""

import json
import re
from pathlib import Path

import pytest

from conftest import Cli
from monpro import report
from monpro.cores import design
from monpro.page import build, errata, hardware, software, steps
from monpro.report.item import Item
from monpro.report.koc96 import table3
from monpro.report.outcome import compute
from monpro.report.provenance import opened_recordings
from monpro.results.recording import RESULTS, newest_of_each_cpu
from monpro.spec import koc96, kuang16


def test_every_recorded_time_is_that_of_its_file() -> None:
    times, limits = software.recorded()
    assert limits
    files = {
        time.file: json.loads((RESULTS.parent / time.file).read_text(encoding="utf-8")) for time in times
    }
    known = {
        name: {(figure["median_ns"], figure["engine"], figure["bits"]) for figure in recording["figures"]}
        for name, recording in files.items()
    }
    for time in times:
        machine = files[time.file]["machine"]
        assert (machine["cpu"], machine["date"]) == (time.cpu, time.date)
        assert (time.nanoseconds, time.engine, time.bits) in known[time.file]


def test_of_two_recordings_of_a_cpu_the_newer_counts(tmp_path: Path) -> None:
    for date, cpu in (("2026-01-01", "one"), ("2026-01-02", "one"), ("2026-01-01", "two")):
        folder = tmp_path / f"{cpu}-{date}"
        folder.mkdir()
        machine = {"cpu": cpu, "date": date, "libraries": {}}
        (folder / "bench.json").write_text(json.dumps({"machine": machine, "rounds": 1, "figures": []}))
    chosen = newest_of_each_cpu(tmp_path, "bench.json")
    assert [path.parent.name for path in chosen] == ["one-2026-01-02", "two-2026-01-01"]


def test_every_point_is_that_of_its_file_and_of_a_clean_commit() -> None:
    points = hardware.points()
    assert {"monpro", "peer"} == {point.source for point in points}
    for point in points:
        text = (RESULTS.parent / point.file).read_text(encoding="utf-8")
        assert f'"{point.name}"' in text
        assert not point.commit.endswith("-dirty")
    assert len({(point.name, point.target) for point in points}) == len(points)
    assert {"mm-1024", "scs-mm-1-1024", "fcs-mm-1-1024-pairs", "systolic-1024"} <= {
        point.name for point in points
    }


def test_nothing_recorded_comes_from_changed_sources() -> None:
    """A commit with -dirty names sources that nobody can get."""
    for path in RESULTS.rglob("*.json"):
        assert "-dirty" not in path.read_text(encoding="utf-8"), path


def test_a_synthesis_of_changed_sources_is_left_out(tmp_path: Path) -> None:
    figure = {"core": "mm-1024", "target": "osu018", "area_um2": 1e6, "delay_ns": 10, "tools": {"yosys": "1"}}
    for date, commit in (("2026-01-01", "abc"), ("2026-01-02", "def-dirty")):
        (tmp_path / date).mkdir()
        recording = {"machine": {"date": date}, "figures": [figure | {"commit": commit}]}
        (tmp_path / date / "synthesis.json").write_text(json.dumps(recording))
    (point,) = hardware.points(tmp_path)
    assert point.commit == "abc"
    assert point.time_us == pytest.approx(10.25)


def test_the_spread_of_the_seeds_and_the_hard_blocks_are_told(tmp_path: Path) -> None:
    figure = {
        "core": "dsp-256-fold8",
        "target": "ecp5",
        "luts": 400,
        "area_luts": 1000,
        "dsps": 4,
        "brams": 2,
    }
    clock = {"fmax_mhz": 130.0, "fmax_least_mhz": 126.0, "fmax_greatest_mhz": 135.0, "seeds": 5}
    rest = {"commit": "abc", "tools": {"yosys": "1"}}
    recording = {"machine": {"date": "2026-01-01"}, "figures": [figure | clock | rest]}
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "synthesis.json").write_text(json.dumps(recording))
    (point,) = hardware.points(tmp_path)
    assert (point.area, point.multipliers, point.brams) == (1000, 4, 2)
    assert (point.clock_mhz, point.clock_least_mhz, point.clock_greatest_mhz, point.seeds) == (
        130,
        126,
        135,
        5,
    )
    assert point.kind == "multiplier"
    assert point.clocks == design("dsp", 256, {"fold": 8}).max_cycles


def test_a_missing_clock_has_its_reason_and_that_of_an_old_record_its_only_seed(tmp_path: Path) -> None:
    """What was recorded before several seeds could be asked for was placed once."""
    figure = {"core": "mm-256", "target": "ecp5", "luts": 400, "commit": "abc", "tools": {"yosys": "1"}}
    figures = {
        "placed": figure | {"fmax_mhz": 90.0},
        "failed": figure | {"fmax_mhz": None, "reason": "is too long"},
    }
    for name, told in figures.items():
        folder = tmp_path / name / "results"
        folder.mkdir(parents=True)
        recording = {"machine": {"date": "2026-01-01"}, "figures": [told]}
        (folder / "synthesis.json").write_text(json.dumps(recording))
    (placed,), (failed,) = (hardware.points(tmp_path / name) for name in ("placed", "failed"))
    assert (placed.clock_mhz, placed.seeds, placed.note) == (90.0, 1, "")
    assert (failed.clock_mhz, failed.seeds, failed.note) == (None, None, "no clock, because it is too long")


def test_a_peer_that_the_flow_has_measured_takes_the_place_of_one_by_hand(tmp_path: Path) -> None:
    by_hand = {
        "what": "",
        "kind": "multiplier",
        "target": "ecp5",
        "bits": 256,
        "area": 1,
        "area_unit": "LUTs",
    }
    by_hand |= {"registers": 1, "multipliers": 0, "extras": "", "clock_mhz": 1, "clocks": 1, "tools": ""}
    by_hand |= {"constant_time": None, "commit": "abc"}
    row = {"design": "a-256", "what": "", "kind": "exponentiator", "bits": 256, "target": "ecp5", "luts": 5}
    row |= {"area_luts": 7, "clocks": 51200, "clocks_least": 51200, "clocks_greatest": 51200, "jobs": 10}
    row |= {"note": "", "peer_commit": "0123456789", "commit": "def", "tools": {"yosys": "1"}}
    measured = [
        row,
        row | {"design": "b-256", "clocks_least": 51199},
        row | {"design": "c-256", "kind": "multiplier"},
        row | {"design": "d-256", "peer_commit": "0123456789-dirty"},
        row | {"design": "e-256", "commit": "def-dirty"},
    ]
    (tmp_path / "one").mkdir()
    hand = {"designs": [by_hand | {"name": "a-256"}, by_hand | {"name": "h-256"}]}
    (tmp_path / "one" / "peers.json").write_text(json.dumps(hand))
    (tmp_path / "one" / "peer_synthesis.json").write_text(
        json.dumps({"machine": {"date": "2026-01-01"}, "figures": measured})
    )
    found = {point.name: point for point in hardware.points(tmp_path)}
    assert set(found) == {"a-256", "b-256", "c-256", "h-256"}
    assert {name: point.clocks for name, point in found.items()} == {
        "a-256": 100,  # two products for each bit of the exponent
        "b-256": 100,
        "c-256": 51200,
        "h-256": 1,
    }
    assert {name: point.area for name, point in found.items()}["a-256"] == 7
    assert [found[name].constant_time for name in ("a-256", "b-256", "h-256")] == [None, False, None]
    assert "equal clocks of 10 jobs" in found["a-256"].note


def test_the_time_of_a_product() -> None:
    (plain,) = [point for point in hardware.points() if (point.name, point.target) == ("mm-1024", "osu018")]
    assert plain.clocks == 1025
    assert plain.clock_mhz
    assert plain.time_us == pytest.approx(1025 / plain.clock_mhz)
    assert hardware.architecture(plain) == "mm"
    assert {hardware.architecture(point) for point in hardware.points()} >= {"systolic --set radix_log2=1"}


def test_a_command_of_the_page_makes_the_core_that_it_names() -> None:
    for point in (point for point in hardware.points() if point.source == "monpro"):
        name, *settings = hardware.architecture(point).split(" --set ")
        design = hardware.known(point.bits)[point.name]
        assert name == design.name
        for setting in settings:
            field, _, value = setting.partition("=")
            assert int(getattr(design, field)) == int(value)


@pytest.mark.parametrize("trace", steps.all_traces(), ids=lambda trace: trace.id)
def test_a_trace_ends_where_its_algorithm_ends(trace: steps.Trace) -> None:
    memory = dict(trace.start)
    for step in trace.steps:
        assert step.text
        memory.update(step.writes)
    cells = {cell for _, row in trace.rows for cell in row}
    assert set(memory) <= cells
    assert ("wrong" in trace.outcome or "reached" in trace.outcome) == bool(trace.alarms)
    if trace.id in koc96.METHODS:
        word = steps.SMALL
        assert all(step.reads or step.writes for step in trace.steps), "what is only counted is no step"
        result = koc96.run(koc96.METHODS[trace.id], word.a, word.b, n=word.n, w=word.w, s=word.s).result
        assert f"The result is {result:x}, which is right" in trace.outcome
        assert result == word.product


def test_the_words_of_a_trace_are_those_of_the_run() -> None:
    trace = next(trace for trace in steps.all_traces() if trace.id == "cios")
    memory = dict(trace.start)
    for step in trace.steps:
        memory.update(step.writes)
    row = dict(trace.rows)["t"]
    total = sum(int(memory[cell], 16) << steps.SMALL.w * place for place, cell in enumerate(reversed(row)))
    assert total % steps.SMALL.n == steps.SMALL.product, "t holds the product, up to a multiple of n"


def test_the_carry_save_trace_clocks_as_the_spec_does() -> None:
    adder = kuang16.Adder()
    kuang16.scs_mm_new(steps.A, steps.B, steps.N, steps.K, adder)
    trace = steps.carry_save()
    sums = [step for step in trace.steps if step.text.startswith(("2. ", "4. ", "12. ", "24. "))]
    assert len(sums) == adder.clocks.total()
    assert f"after {adder.clocks.total()} clocks" in trace.outcome


def test_every_erratum_is_told_and_every_counterexample_exists() -> None:
    found = errata.errata()
    for paper, spec in errata.SPECS.items():
        numbers = re.findall(r"^([EA]\d+) ", spec.__doc__ or "", re.MULTILINE)
        assert [erratum.number for erratum in found[paper]] == numbers
    shown = {erratum.trace for listed in found.values() for erratum in listed} - {""}
    assert shown == {"cihs-printed", "hybrid-16-printed", "chain-printed"}
    assert shown <= {trace.id for trace in steps.all_traces()}


def test_a_chain_grows_with_the_printed_iterations_only() -> None:
    bound = 2 * (kuang16.n_hat(2**steps.CHAIN_BITS - 3) - 1)
    assert max(steps.chain(steps.CHAIN_BITS, 0)) > 1000 * bound
    assert max(steps.chain(steps.CHAIN_BITS, steps.CHAIN_EXTRA)) < bound


def test_what_is_timed_has_a_preview_of_fewer_rounds() -> None:
    rounds: list[int] = []
    for name in ("koc96.table3", "koc97.table5", "koc97.table5.figure"):
        (item,) = report.select(name)
        assert item.preview, name
    (item,) = report.select("koc96.table3")
    assert item.preview
    item.preview(lambda _, total: rounds.append(total))
    assert set(rounds) == {table3.PREVIEW_ROUNDS} != {table3.ROUNDS}


def test_the_whole_catalogue_is_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def remember(item: Item, *, quick: bool) -> Item:
        assert quick
        asked.append(item.id)
        return item

    monkeypatch.setattr(build, "compute", remember)
    papers = build.recompute(lambda _: None)
    assert sorted(asked) == sorted(item.id for item in report.catalogue())
    assert sum(len(paper.outcomes) for paper in papers) == len(asked)


def test_a_recording_that_is_read_is_noted() -> None:
    with opened_recordings() as files:
        hardware.points()
    assert {path.name for path in files} == {"synthesis.json", "peers.json", "peer_synthesis.json"}
    with opened_recordings() as none:
        pass
    assert not none


def test_names_in_errata_are_code_and_nothing_else_is_markup() -> None:
    assert build.code("a `b<c>` & d") == "a <code>b&lt;c&gt;</code> &amp; d"


@pytest.mark.parametrize("paper", ["blum01", "amberg08"])
def test_what_is_recorded_names_its_recording(paper: str) -> None:
    """Also where another item has read the recording before."""
    for item in report.select(paper):
        outcome = compute(item, quick=True)
        rows = getattr(outcome.result, "rows", [outcome.result])
        tested = [row for row in rows if getattr(row, "verdict", "") not in {"not tested", "not compared"}]
        if any(getattr(row, "source", "") == "recorded" for row in tested):
            assert outcome.provenance.recorded, item.id


def test_data_cannot_end_its_script() -> None:
    assert "<" not in build.embedded({"text": "</script><script>alert(1)</script>"})


def test_a_drawing_loses_its_size_and_its_fonts_but_no_space() -> None:
    text = "<text{}><tspan>a</tspan> <tspan>b</tspan></text>"
    inner = text.format(" font-family=\"'DejaVu Sans Mono'\"")
    svg = f'<svg viewBox="0 0 9 9" width="9" height="9">\n  {inner}\n</svg>\n'
    small = text.format(' class="mono"')
    assert build.inline_svg(svg) == f'<svg viewBox="0 0 9 9">{small}</svg>'


def test_report_writes_one_page(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    items = tuple(item for item in report.catalogue() if item.id in {"koc96.table2", "koc97.figure1"})
    monkeypatch.setattr(report, "_ITEMS", items)
    target = tmp_path / "new" / "page.html"
    status, output, _ = cli("report", "-o", str(target))
    assert status == 0
    assert target.as_uri() in output
    assert 'id="koc96.table2"' in target.read_text(encoding="utf-8")
    status, output, _ = cli("report", "-o", str(target), "--json")
    assert json.loads(output) == {"file": str(target), "bytes": target.stat().st_size}
    assert cli("report", "-o", "/dev/null/x")[0] == 2

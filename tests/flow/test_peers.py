"""Other projects' designs in the flow: a small design in a checkout of its own, and given peers."""

import dataclasses
import json
import os
import subprocess
from pathlib import Path

import pytest

from conftest import CHECKOUT_LACKS
from monpro.flow import peers, tools

CHECKOUTS = "MONPRO_PEERS"  # folders of checkouts, separated by colons
TINY = """
`include "width.vh"
module tiny #(parameter WIDTH = 8) (
  input wire clk, input wire rst, input wire go,
  input wire [WIDTH-1:0] a, input wire [WIDTH-1:0] b, input wire [WIDTH-1:0] m,
  output reg ready, output wire [WIDTH-1:0] p
);
  reg [WIDTH-1:0] a_q, b_q, m_q;
  reg [WIDTH:0] s;
  reg [7:0] left;
  wire [WIDTH+1:0] t = s + (a_q[0] ? b_q : 0);
  wire [WIDTH+1:0] u = t + (t[0] ? m_q : 0);
  assign p = s >= m_q ? s - m_q : s;
  always @(posedge clk)
    if (rst) begin left <= 0; ready <= 0; end
    else if (go) begin a_q <= a; b_q <= b; m_q <= m; s <= 0; left <= WIDTH; ready <= 0; end
    else if (left != 0) begin
      s <= u >> 1; a_q <= a_q >> 1; left <= left - `STEP; ready <= left == 1;
    end else ready <= 0;
endmodule
"""
PEER = peers.Peer(
    name="tiny",
    repository="somebody/something",
    licence="none",
    what="bit-serial multiplier",
    root="rtl",
    sources=("*.v", "include/*.vh"),
    left_out=("old.v",),
    headers=("width.vh",),
    edits={"width.vh": ("STEP 0", "STEP 1")},
    top="tiny",
    parameters=lambda bits: {"WIDTH": bits},
    ports=".clk, .rst(!rst_n), .go(start), .a(x), .b(y), .m(n), .ready(done), .p(z)",
    widths_bits=(8, 16),
    r_log2=lambda bits: bits,
)


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    return subprocess.run(
        ("git", *identity, *arguments), cwd=folder, check=True, capture_output=True, encoding="utf-8"
    ).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    (folder / "rtl" / "include").mkdir(parents=True)
    (folder / "rtl" / "tiny.v").write_text(TINY, encoding="utf-8")
    (folder / "rtl" / "old.v").write_text("not Verilog\n", encoding="utf-8")
    (folder / "rtl" / "include" / "width.vh").write_text("`define STEP 0\n", encoding="utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "all")
    return folder


def test_a_design_of_a_checkout_is_simulated_placed_and_recorded(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tools.find("verilator")
    tools.find("nextpnr-ice40")
    monkeypatch.setitem(peers.PEERS, "tiny", PEER)
    monkeypatch.setattr(peers.keep, "__defaults__", (tmp_path,))
    arguments = [str(checkout), "--design", "tiny", "--bits", "16", "--target", "ice40"]
    assert peers.main([*arguments, "--seeds", "3", "--record"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["design"], row["clocks"], row["clocks_least"], row["clocks_greatest"]) == (
        "tiny-16",
        16,
        16,
        16,
    )
    assert row["jobs"] == peers.JOBS + 2
    assert row["peer_commit"] == git(checkout, "rev-parse", "HEAD")
    assert set(row["tools"]) == {"verilator", "yosys", "nextpnr-ice40"}
    assert row["seeds"] == 3
    assert row["fmax_least_mhz"] <= row["fmax_mhz"] <= row["fmax_greatest_mhz"]
    assert 4 * 16 < row["ffs"] < 5 * 16, "the registers of the design, without those of the ports around it"
    (file,) = tmp_path.glob(f"*/{peers.FILE}")
    assert json.loads(file.read_text(encoding="utf-8"))["figures"] == [row]


def test_the_asic_library_has_area_and_delay_of_a_peer(checkout: Path) -> None:
    row = peers.measure(PEER, checkout, 8, "osu018", jobs=2)
    assert isinstance(row["area_um2"], float)
    assert isinstance(row["delay_ns"], float)
    assert set(row["tools"]) == {"verilator", "yosys", "opensta"}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s - m_q : s", "s : s"),  # not reduced
        pytest.param("u >> 1", "u >> 1 ^ (left == 3)", marks=pytest.mark.slow),
        pytest.param("ready <= left == 1", "ready <= left == 2", marks=pytest.mark.slow),  # too early
    ],
)
def test_a_wrong_result_gives_no_figure(
    old: str, new: str, checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tools.find("verilator")
    monkeypatch.setitem(peers.PEERS, "tiny", PEER)
    assert old in TINY
    (checkout / "rtl" / "tiny.v").write_text(TINY.replace(old, new), encoding="utf-8")
    assert peers.main([str(checkout), "--design", "tiny", "--bits", "8", "--target", "xc7"]) == 1
    output, errors = capsys.readouterr()
    assert not output
    assert "of 10 results are wrong or missing" in errors


def test_a_result_that_never_comes_is_missed(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools.find("verilator")
    monkeypatch.setattr(peers, "LIMIT_CLOCKS", 1000)
    with pytest.raises(tools.ToolError, match="10 of 10 results are wrong or missing"):
        peers.measure(dataclasses.replace(PEER, edits={}), checkout, 8, "xc7")


def test_a_power_is_compared_with_pow() -> None:
    power = dataclasses.replace(PEER, r_log2=None)
    assert (PEER.kind, power.kind) == ("multiplier", "exponentiator")
    assert power.result(3, 200, 251, 8) == pow(3, 200, 251)
    assert PEER.result(3, 200, 251, 8) * 256 % 251 == 3 * 200 % 251


def test_what_cannot_be_measured_is_one_line(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(peers.PEERS, "tiny", PEER)
    wrong = dataclasses.replace(PEER, edits={"width.vh": ("STEP 7", "")})
    monkeypatch.setitem(peers.PEERS, "other", wrong)
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "--quiet")
    git(tmp_path / "empty", "commit", "--quiet", "--allow-empty", "-m", "none")
    for arguments, status, message in (
        ([str(checkout), "--design", "tiny", "--bits", "9"], 2, "tiny has widths of 8, 16 bits, not 9"),
        ([str(checkout), "--design", "tiny", "--bits", "8", "--jobs", "0"], 2, "--jobs: give 1 or more"),
        ([str(checkout), "--design", "tiny", "--bits", "8", "--seeds", "0"], 2, "1 seed or more, not 0"),
        ([str(tmp_path / "none"), "--design", "tiny", "--bits", "8"], 1, "is no git checkout"),
        ([str(tmp_path / "empty"), "--design", "tiny", "--bits", "8"], 1, "a checkout of somebody/something"),
        ([str(checkout), "--design", "other", "--bits", "8"], 1, "the flow does not know this version"),
    ):
        assert peers.main(arguments) == status, arguments
        output, errors = capsys.readouterr()
        assert not output
        assert message in errors
        assert errors.count("\n") == 1


def test_a_checkout_that_was_changed_says_so(checkout: Path) -> None:
    clean = peers.commit_of(checkout)
    (checkout / "rtl" / "tiny.v").write_text(TINY + "\n", encoding="utf-8")
    assert peers.commit_of(checkout) == clean + "-dirty"


@pytest.mark.slow
@pytest.mark.parametrize("name", peers.PEERS)
def test_a_peer_of_a_given_checkout_computes_right(name: str) -> None:
    peer = peers.PEERS[name]
    given = [Path(folder) for folder in os.environ.get(CHECKOUTS, "").split(":") if folder]
    checkout = next((folder for folder in given if list((folder / peer.root).glob(peer.sources[0]))), None)
    if checkout is None:
        pytest.skip(f"{CHECKOUT_LACKS}: {CHECKOUTS} names no checkout of {peer.repository}")
    row = peers.measure(peer, checkout, 256, "xc7", jobs=2)
    assert row["jobs"] == 4

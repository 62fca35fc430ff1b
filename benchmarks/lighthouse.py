"""Run Lighthouse on the pages that players open on a phone: its four scores, median of five, and the problems it finds.

    .venv/bin/python benchmarks/lighthouse.py [PAGE…] [--times N]

Uses the site and events of `first_visit.py`, and an unmodified Lighthouse (`benchmarks/node`, pinned with hashes; `make clients` installs
Node) with its default phone and slow 4G, in headless Chromium. Target: performance 95, accessibility and best practices 100. Personal pages
ask search engines not to index them, so their fourth score is low on purpose. Other work on this machine lowers performance: Lighthouse
assumes a computer four times as fast as a phone. `--slower 1` tells it that this machine is as slow as a phone (the benchmark index, which
is printed, is about 1,500 for a computer and 300 for a phone).
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

from first_visit import BROWSERS, door, visited_site

from tools import clients

LISTS = HERE / "node"
FOLDER = ROOT / "var" / "lighthouse"
STAMP = FOLDER / "stamp"
PAGES = ("my match", "event", "bracket of 256", "player")
WANTED = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 0}
SWITCHES = "--no-sandbox --headless --ignore-certificate-errors --host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE localhost'"


def install() -> None:
    locked = (LISTS / "package-lock.json").read_text()
    if STAMP.exists() and STAMP.read_text() == locked:
        return
    if not clients.NODE.exists():
        sys.exit("Node is not installed. Run make clients.")
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(LISTS, FOLDER)
    clients.npm("ci", "--ignore-scripts", folder=FOLDER)
    STAMP.write_text(locked)


def look(address: str, program: str, slower: float) -> dict[str, Any]:
    """One report, as Lighthouse writes it."""
    report = FOLDER / "report.json"
    report.unlink(missing_ok=True)
    command = [str(clients.NODE), str(FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"), address]
    command += ["--quiet", "--output=json", f"--output-path={report}", f"--chrome-flags={SWITCHES}"]
    command += [f"--throttling.cpuSlowdownMultiplier={slower}"]
    env = {**os.environ, "CHROME_PATH": program, "CI": "1"}
    done = subprocess.run(command, cwd=FOLDER, env=env, check=False, capture_output=True, text=True)
    if done.returncode != 0 or not report.exists():
        sys.exit(f"Lighthouse failed on {address}:\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def faults(report: dict[str, Any], category: str) -> list[str]:
    """What counts and is not whole."""
    audits = ((one, report["audits"][one["id"]]) for one in report["categories"][category]["auditRefs"])
    return [
        f"{audit['title']}: {audit.get('displayValue') or round(100 * audit['score'])}"
        for one, audit in audits
        if one["weight"] and audit["score"] is not None and audit["score"] < 1
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", default=PAGES, help="pages, as in first_visit.py")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument(
        "--slower", type=float, default=4, help="how many times slower a phone is than this machine"
    )
    options = parser.parse_args()
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("Chromium is not installed.")
    install()
    poor = False
    with TemporaryDirectory() as folder, visited_site(door(Path(folder))) as (site, known):
        print(f"{'page':<18}" + "".join(f"{name:>16}" for name in WANTED) + f"{'index':>8}", flush=True)
        for name in options.pages:
            reports = [look(site + known[name], program, options.slower) for _ in range(options.times)]
            seen = {
                category: statistics.median(
                    100 * (one["categories"][category]["score"] or 0) for one in reports
                )
                for category in WANTED
            }
            index = statistics.median(one["environment"]["benchmarkIndex"] for one in reports)
            figures = "".join(f"{figure:>16.0f}" for figure in seen.values())
            print(f"{name:<18}{figures}{index:>8.0f}", flush=True)
            for category in WANTED:
                for fault in sorted({fault for one in reports for fault in faults(one, category)}):
                    print(f"    {category}: {fault}", flush=True)
            poor = poor or any(seen[category] < least for category, least in WANTED.items())
    return int(poor)


if __name__ == "__main__":
    sys.exit(main())

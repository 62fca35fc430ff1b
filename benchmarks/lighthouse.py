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
    lock_text = (LISTS / "package-lock.json").read_text()
    if STAMP.exists() and STAMP.read_text() == lock_text:
        return
    if not clients.NODE.exists():
        sys.exit("Node is not installed. Run make clients.")
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(LISTS, FOLDER)
    clients.npm("ci", "--ignore-scripts", folder=FOLDER)
    STAMP.write_text(lock_text)


def look(address: str, program: str, slowdown: float) -> dict[str, Any]:
    """One report, as Lighthouse writes it."""
    report = FOLDER / "report.json"
    report.unlink(missing_ok=True)
    command = [str(clients.NODE), str(FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"), address]
    command += ["--quiet", "--output=json", f"--output-path={report}", f"--chrome-flags={SWITCHES}"]
    command += [f"--throttling.cpuSlowdownMultiplier={slowdown}"]
    env = {**os.environ, "CHROME_PATH": program, "CI": "1"}
    result = subprocess.run(command, cwd=FOLDER, env=env, check=False, capture_output=True, text=True)
    if result.returncode != 0 or not report.exists():
        sys.exit(f"Lighthouse failed on {address}:\n{result.stderr[-2000:]}")
    report_data: dict[str, Any] = json.loads(report.read_text())
    return report_data


def faults(report: dict[str, Any], category: str) -> list[str]:
    """What counts and is not whole."""
    audits = (
        (audit_ref, report["audits"][audit_ref["id"]])
        for audit_ref in report["categories"][category]["auditRefs"]
    )
    return [
        f"{audit['title']}: {audit.get('displayValue') or round(100 * audit['score'])}"
        for audit_ref, audit in audits
        if audit_ref["weight"] and audit["score"] is not None and audit["score"] < 1
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
    is_poor = False
    with TemporaryDirectory() as folder, visited_site(door(Path(folder))) as (site, page_paths):
        print(f"{'page':<18}" + "".join(f"{name:>16}" for name in WANTED) + f"{'index':>8}", flush=True)
        for name in options.pages:
            reports = [look(site + page_paths[name], program, options.slower) for _ in range(options.times)]
            scores = {
                category: statistics.median(
                    100 * (report["categories"][category]["score"] or 0) for report in reports
                )
                for category in WANTED
            }
            index = statistics.median(report["environment"]["benchmarkIndex"] for report in reports)
            figures = "".join(f"{figure:>16.0f}" for figure in scores.values())
            print(f"{name:<18}{figures}{index:>8.0f}", flush=True)
            for category in WANTED:
                for fault in sorted({fault for report in reports for fault in faults(report, category)}):
                    print(f"    {category}: {fault}", flush=True)
            is_poor = is_poor or any(scores[category] < limit for category, limit in WANTED.items())
    return int(is_poor)


if __name__ == "__main__":
    sys.exit(main())

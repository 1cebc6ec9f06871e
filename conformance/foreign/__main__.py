"""Starts the server: `python conformance/foreign --help`."""

import argparse
import asyncio
from pathlib import Path

from accounts import read_accounts
from faults import FAULTS
from server import run

parser = argparse.ArgumentParser(prog="foreign", description="Serves the contract with headless browsers.")
parser.add_argument("--port", type=int, default=8080, help="0 chooses a free port")
parser.add_argument("--accounts", type=Path, default=Path(__file__).with_name("accounts.json"))
parser.add_argument("--fault", action="append", default=[], choices=FAULTS, help="makes the server faulty")
options = parser.parse_args()
for name in options.fault:
    FAULTS[name].apply()
asyncio.run(run(options.port, read_accounts(options.accounts)))

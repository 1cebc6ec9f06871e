from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from queue import Empty, Queue

from remote_browser._redact import without_secrets
from remote_browser.errors import ConnectionError

COMMAND = "remote-browser-tunnel"

_HOW_TO_GET_IT = (
    "Selenium needs the Node package @remote-browser/tunnel: in a clone of the service, `npm ci` "
    "and `npm run build -w clients/tunnel` build it in clients/tunnel/dist. "
    f"`npm install -g CLONE/clients/tunnel/dist` puts {COMMAND} on the PATH; without that, pass "
    'tunnel=["node", "CLONE/clients/tunnel/dist/main.js"]. It needs Node 22.12 or later.'
)

# How many seconds a tunnel may take to exit after SIGTERM.
_GRACE = 5


@contextlib.contextmanager
def open_tunnel(address: str, command: Sequence[str] | None, seconds: float) -> Iterator[int]:
    """Connects a local port to a browser for the duration of the `with` block.

    Args:
        address: The browser's address.
        command: The command that starts the tunnel. Default: `remote-browser-tunnel`.
        seconds: Timeout for the tunnel to print its port.

    Raises:
        ConnectionError: If the command can't be started, exits before it connects, or times out.
    """
    process = _start([*(command or [COMMAND]), address, "--port", "0"])
    try:
        yield _wait_for_port(process, address, seconds)
    finally:
        _end(process)


def _start(command: Sequence[str]) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # In a separate process group, so that child processes end with the command.
            start_new_session=True,
        )
    except OSError as error:
        message = (
            f"The command {command[0]} could not be started: {error.strerror}. {_HOW_TO_GET_IT}"
        )
    raise ConnectionError(message)


def _wait_for_port(process: subprocess.Popen[str], address: str, seconds: float) -> int:
    ports: Queue[int | None] = Queue()
    said: list[str] = []

    def read() -> None:
        for line in process.stdout or ():
            said.append(line)
            match = re.match(r"DevTools: 127\.0\.0\.1:(\d+)", line)
            if match is not None:
                ports.put(int(match[1]))
        ports.put(None)

    threading.Thread(target=read, name="remote-browser-tunnel", daemon=True).start()
    try:
        port = ports.get(timeout=seconds)
    except Empty:
        raise ConnectionError(f"The tunnel did not print its port within {seconds:g} s.") from None
    if port is None:
        words = without_secrets("".join(said).strip(), address)
        raise ConnectionError(f"The tunnel could not be opened: {words or 'it printed nothing'}")
    return port


def _end(process: subprocess.Popen[str]) -> None:
    _signal_group(process, signal.SIGTERM)
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        _signal_group(process, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _signal_group(process: subprocess.Popen[str], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)

"""Chromium processes: their command line, their start and their end."""

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from options import CHROMIUM, HEADLESS_SHELL, name_of
from refusals import Json
from relays import Relay

# Where distributions install each kind of browser. The first that exists is used.
PATHS = {
    CHROMIUM: ("/usr/lib/chromium/chromium", "chromium", "chromium-browser"),
    HEADLESS_SHELL: ("/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell", "chrome-headless-shell"),
}
# Show no welcome page and no questions, send nothing to the browser's maker, and play no sound.
DEFAULTS = [
    *("--no-first-run", "--no-default-browser-check", "--disable-hang-monitor", "--disable-popup-blocking"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # Otherwise, extra processes render the address bar.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    *("--password-store=basic", "--mute-audio", "--hide-scrollbars", "--window-size=1280,800"),
]
# The number of a user that owns nothing. Chromium's own sandbox needs a user other than root.
UNPRIVILEGED = 65_534
START_S = 30
POLL_S = 0.02


def find_executables() -> dict[int, str]:
    """Finds the kinds of browsers that this machine has."""
    found = {kind: next(filter(None, map(shutil.which, paths)), None) for kind, paths in PATHS.items()}
    return {kind: path for kind, path in found.items() if path is not None}


def read_user_agent(executable: str) -> str:
    """Returns the user agent of a browser that is not headless."""
    version = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True).stdout
    major = version.partition(".")[0].split()[-1]
    return f"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0 Safari/537.36"


def proxy_switches(proxy: Json | None, relay_port: int | None) -> list[str]:
    """Returns the switches that send all traffic through a proxy, or through the relay to it."""
    if proxy is None:
        return []
    scheme = "http" if relay_port and proxy["Scheme"] == "https" else proxy["Scheme"]
    host = f"127.0.0.1:{relay_port}" if relay_port else f"{proxy['Name']}:{proxy['Port']}"
    return [f"--proxy-server={scheme}://{host}", "--proxy-bypass-list=<-loopback>"]


class Chromium:
    """A browser's process, and the folder for everything that it writes."""

    def __init__(self, executable: str, user_agent: str, options: Json) -> None:
        self._executable = executable
        self._user_agent = user_agent
        self._options = options
        self.folder = Path(tempfile.mkdtemp(prefix="rbs-foreign-"))
        self._process: asyncio.subprocess.Process | None = None
        self._relay: asyncio.Server | None = None
        # Where it accepts DevTools connections, such as `127.0.0.1:36013`, and the path there.
        self.host = ""
        self.path = ""

    def switches(self, relay_port: int | None) -> list[str]:
        """Returns the command line. The client's switches replace defaults, and the server's own come last."""
        stealth = ["--disable-blink-features=AutomationControlled", f"--user-agent={self._user_agent}"]
        defaults = [*DEFAULTS, *(stealth if self._options["Stealth"] else ["--enable-automation"])]
        ignored = [name_of(each) for each in self._options["IgnoredDefaultArgs"]]
        return [
            *(each for each in defaults if name_of(each) not in ignored),
            *(f"{name}={value}" if value else name for name, value in self._options["Args"].items()),
            *("--headless", "--remote-debugging-port=0", f"--user-data-dir={self.folder}/profile"),
            *("--disable-breakpad", "--disable-crashpad-for-testing"),
            *(f"--lang={self._options['Language']}", f"--accept-lang={self._options['Language']}"),
            *proxy_switches(self._options["Proxy"], relay_port),
            "about:blank",
        ]

    async def start(self) -> None:
        """Returns once the browser accepts DevTools connections. Call `stop`, even if this fails."""
        port = None
        if self._options["Proxy"] is not None and self._options["Proxy"]["Username"]:
            self._relay = await Relay(self._options["Proxy"]).open()
            port = self._relay.sockets[0].getsockname()[1]
        user = UNPRIVILEGED if os.getuid() == 0 else None
        if user is not None:
            os.chown(self.folder, user, user)
        # Chromium reads its language from the environment.
        language, folder = self._options["Language"].replace("-", "_"), str(self.folder)
        places = {"HOME": folder, "TMPDIR": folder, "PATH": os.environ["PATH"]}
        self._process = await asyncio.create_subprocess_exec(
            self._executable,
            *self.switches(port),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**places, "LANGUAGE": language, "LANG": f"{language}.UTF-8", "TZ": self._options["TimeZone"]},
            start_new_session=True,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
        async with asyncio.timeout(START_S):
            self.host, self.path = await self._read_endpoint(self._process)

    async def _read_endpoint(self, process: asyncio.subprocess.Process) -> tuple[str, str]:
        file = self.folder / "profile/DevToolsActivePort"
        while process.returncode is None:
            port, _, path = file.read_text().partition("\n") if file.exists() else ("", "", "")
            if path:
                return f"127.0.0.1:{port}", path
            await asyncio.sleep(POLL_S)
        raise ChildProcessError("it exited")

    async def wait(self) -> str:
        """Waits until the process ends. Returns the reason, as the contract names it."""
        code = await self._process.wait() if self._process else 0
        return "exited" if code == 0 else "crashed"

    async def stop(self) -> None:
        """Ends the process and everything that it started, and deletes its files."""
        if self._relay is not None:
            self._relay.close()
        if self._process is not None:
            self.kill()
            await self._process.wait()
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)

    def kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

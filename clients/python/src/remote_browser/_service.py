from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any, TypeVar

from remote_browser import _generated as core
from remote_browser._calls import Calls, Plan, World
from remote_browser._core import Core
from remote_browser._reference import Reference
from remote_browser._settings import Settings
from remote_browser.errors import RemoteBrowserError

T = TypeVar("T")


class Service:
    """The operations, each with its retry rule and timeout.

    Requests are built without the core's checks of lengths and ranges. The service checks them, and
    its errors say more than the core's.
    """

    def __init__(self, settings: Settings, world: World) -> None:
        # Errors must not show it.
        self.token = settings.token
        self.world = world
        # The timeout for one attempt in seconds.
        self.timeout = settings.timeout
        self._core = Core(settings)
        self._browsers = core.BrowserApi(self._core)
        self._desktops = core.RemoteDesktopApi(self._core)
        self._account = core.AccountApi(self._core)
        self._ai = core.AiApi(self._core)
        self._calls = Calls(settings, world)
        self._idempotent = Plan(is_idempotent=True, seconds=settings.timeout)
        # With its key, a repeated request opens no second browser, if the service knows keys.
        self._open = Plan(
            is_idempotent=True,
            seconds=settings.timeout,
            is_proven=self._find_out_whether_it_has_keys,
        )
        # Whether the service has shown contract version 1.1, and so opens one browser for each key.
        self._has_keys = False
        # A language model may take minutes, so only the total timeout applies.
        self._query = Plan(is_idempotent=False, seconds=None)

    def open(self, options: core.OpenOptions, key: str) -> core.OpenResult:
        # The service may wait before it responds, so an attempt may take that much longer.
        plan = self._open.extended_by(options.wait_for_place or 0, "wait_for_place")
        # The core's own parameter checks the key's length, which the service does.
        headers = {"Idempotency-Key": key}
        opened = self._calls.call(
            lambda: self._browsers.open_browser(open_options=options, _headers=headers), plan
        )
        # Version 1.0 opens browsers without an id.
        if opened.id is not None:
            self._has_keys = True
        return opened

    def close(self, reference: Reference) -> None:
        self._do(lambda: self._browsers.close_browser(_to_core(reference.by_address())))

    def list(self) -> core.SessionList:
        return self._do(self._browsers.get_browsers)

    def info(self, reference: Reference) -> core.BrowserRecord:
        return self._do(lambda: self._browsers.get_browser_info(_to_core(reference.by_id())))

    def history(self, request: core.HistoryRequest) -> core.BrowserHistory:
        return self._do(lambda: self._browsers.get_browser_history(request))

    def wait(self, reference: Reference, seconds: float) -> core.WaitResult:
        members: dict[str, Any] = {**reference.by_id(), "seconds": seconds}
        request = core.WaitRequest.model_construct(**members)
        return self._do(lambda: self._browsers.wait_for_browser(request))

    def update(self, reference: Reference, changes: dict[str, Any]) -> core.BrowserRecord:
        request = core.UpdateRequest.model_construct(**{**changes, **reference.by_id()})
        # The new values are absolute, so the call can be repeated.
        return self._do(lambda: self._browsers.update_browser(request))

    def screenshot(self, reference: Reference) -> core.Screenshot:
        return self._do(lambda: self._browsers.take_screenshot(_to_core(reference.by_id())))

    def close_all(self, selection: dict[str, Any]) -> core.CloseAllResult:
        request = core.CloseAllRequest.model_construct(**selection)
        return self._do(lambda: self._browsers.close_all_browsers(request))

    def account(self) -> core.AccountInfo:
        return self._do(self._account.get_account)

    def start_desktop(self, reference: Reference) -> core.StartRemoteDesktopResult:
        request = _to_core(reference.by_address())
        return self._do(lambda: self._desktops.start_remote_desktop(request))

    def stop_desktop(self, reference: Reference) -> None:
        self._do(lambda: self._desktops.stop_remote_desktop(_to_core(reference.by_address())))

    def query(self, request: core.QueryRequest) -> tuple[core.QueryResult, bool]:
        """The result, and whether it has a value: the core's model can't tell that from null."""
        answer = self._calls.call(lambda: self._ai.query_ai_with_http_info(request), self._query)
        members: Any = json.loads(answer.raw_data)
        return answer.data, "value" in members

    def end(self) -> None:
        self._core.rest_client.pool_manager.clear()

    def _find_out_whether_it_has_keys(self, deadline: float) -> bool:
        """Asks for an operation that was added together with the keys.

        Only its success is proof: version 1.0 may check the token or the rate before it answers
        that the operation doesn't exist. Without proof, the client doesn't retry. It remembers only
        success, so that it notices when the service is updated.
        """
        if not self._has_keys:
            with contextlib.suppress(RemoteBrowserError):
                self._calls.call(self._account.get_account, self._idempotent, deadline)
                self._has_keys = True
        return self._has_keys

    def _do(self, work: Callable[[], T]) -> T:
        return self._calls.call(work, self._idempotent)


def _to_core(members: dict[str, str]) -> core.BrowserReference:
    return core.BrowserReference.model_construct(**members)  # type: ignore[arg-type]

from __future__ import annotations

import contextlib
from typing import Any, TypeVar

from pydantic import BaseModel

from remote_browser._calls import Calls, Plan, World
from remote_browser._core import Core
from remote_browser._generated import core
from remote_browser._reference import Reference
from remote_browser._settings import Settings
from remote_browser.errors import RemoteBrowserError

Answer = TypeVar("Answer", bound=BaseModel)


class Service:
    """The operations, each with its retry rule and timeout."""

    def __init__(self, settings: Settings, world: World) -> None:
        # Errors must not show it.
        self.token = settings.token
        self.world = world
        # The timeout for one attempt in seconds.
        self.timeout = settings.timeout
        self._core = Core(settings)
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
        opened = self._calls.call(lambda: self._core.send(core.OPEN_BROWSER, options, key), plan)
        # Version 1.0 opens browsers without an id.
        if opened.id is not None:
            self._has_keys = True
        return opened

    def close(self, reference: Reference) -> None:
        self._do(core.CLOSE_BROWSER, _to_core(reference.by_address()))

    def list(self) -> core.SessionList:
        return self._do(core.GET_BROWSERS)

    def info(self, reference: Reference) -> core.BrowserRecord:
        return self._do(core.GET_BROWSER_INFO, _to_core(reference.by_id()))

    def history(self, request: core.HistoryRequest) -> core.BrowserHistory:
        return self._do(core.GET_BROWSER_HISTORY, request)

    def wait(self, reference: Reference, seconds: float) -> core.WaitResult:
        members: dict[str, Any] = {**reference.by_id(), "seconds": seconds}
        return self._do(core.WAIT_FOR_BROWSER, core.WaitRequest.model_construct(**members))

    def update(self, reference: Reference, changes: dict[str, Any]) -> core.BrowserRecord:
        request = core.UpdateRequest.model_construct(**{**changes, **reference.by_id()})
        # The new values are absolute, so the call can be repeated.
        return self._do(core.UPDATE_BROWSER, request)

    def screenshot(self, reference: Reference) -> core.Screenshot:
        return self._do(core.TAKE_SCREENSHOT, _to_core(reference.by_id()))

    def close_all(self, selection: dict[str, Any]) -> core.CloseAllResult:
        request = core.CloseAllRequest.model_construct(**selection)
        return self._do(core.CLOSE_ALL_BROWSERS, request)

    def account(self) -> core.AccountInfo:
        return self._do(core.GET_ACCOUNT)

    def start_desktop(self, reference: Reference) -> core.StartRemoteDesktopResult:
        return self._do(core.START_REMOTE_DESKTOP, _to_core(reference.by_address()))

    def stop_desktop(self, reference: Reference) -> None:
        self._do(core.STOP_REMOTE_DESKTOP, _to_core(reference.by_address()))

    def query(self, request: core.QueryRequest) -> core.QueryResult:
        return self._calls.call(lambda: self._core.send(core.QUERY_AI, request), self._query)

    def end(self) -> None:
        self._core.end()

    def _find_out_whether_it_has_keys(self, deadline: float) -> bool:
        """Asks for an operation that was added together with the keys.

        Only its success is proof: version 1.0 may check the token or the rate before it answers
        that the operation doesn't exist. Without proof, the client doesn't retry. It remembers only
        success, so that it notices when the service is updated.
        """
        if not self._has_keys:
            with contextlib.suppress(RemoteBrowserError):
                self._do(core.GET_ACCOUNT, deadline=deadline)
                self._has_keys = True
        return self._has_keys

    def _do(
        self,
        route: core.Route[Answer],
        request: BaseModel | None = None,
        deadline: float | None = None,
    ) -> Answer:
        return self._calls.call(lambda: self._core.send(route, request), self._idempotent, deadline)


def _to_core(members: dict[str, str]) -> core.BrowserReference:
    return core.BrowserReference.model_construct(**members)  # type: ignore[arg-type]

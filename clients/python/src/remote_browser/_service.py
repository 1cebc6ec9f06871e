from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from remote_browser._calls import Calls, Plan, World
from remote_browser._core import Core
from remote_browser._generated import core
from remote_browser._reference import Reference
from remote_browser._settings import Settings
from remote_browser.errors import RemoteBrowserError

Answer = TypeVar("Answer")


class Service:
    """Calls operations with their retry rules and timeouts."""

    def __init__(self, settings: Settings, world: World) -> None:
        # Secret, so it must be removed from errors.
        self.token = settings.token
        self.world = world
        # The timeout for one attempt in seconds.
        self.timeout = settings.timeout
        self._core = Core(settings)
        self._calls = Calls(settings, world)
        self._idempotent = Plan(is_idempotent=True, seconds=settings.timeout)
        # If the service supports keys, a repeated request doesn't open another browser.
        self._open = replace(self._idempotent, is_proven=self._prove_keys)
        # Whether the service has proved contract version 1.1, and so opens one browser per key.
        self._has_keys = False
        # Only the total timeout applies: a language model may take minutes.
        self._query = Plan(is_idempotent=False, seconds=None)

    def open(self, options: core.OpenOptions, key: str) -> core.OpenResult:
        # The service may delay its response by this time.
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
        # The new values are absolute, so a repetition changes nothing.
        return self._do(core.UPDATE_BROWSER, request)

    def screenshot(self, reference: Reference) -> core.Screenshot:
        return self._do(core.TAKE_SCREENSHOT, _to_core(reference.by_id()))

    def screenshot_image(self, id: str) -> bytes:
        return self._do(core.TAKE_SCREENSHOT_IMAGE, query={"id": id})

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

    def close_connections(self) -> None:
        self._core.close_connections()

    def _prove_keys(self, deadline: float) -> bool:
        """Calls an operation that was added in the same version as the keys.

        Only success proves that the service has it: version 1.0 may check the token or the rate
        before the path. Failures aren't remembered, because the service may be updated.
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
        query: dict[str, str] | None = None,
    ) -> Answer:
        def send() -> Answer:
            return self._core.send(route, request, query=query)

        return self._calls.call(send, self._idempotent, deadline)


def _to_core(members: dict[str, str]) -> core.BrowserReference:
    return core.BrowserReference.model_construct(**members)  # type: ignore[arg-type]

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection

from remote_browser._attempt import current_attempt

if TYPE_CHECKING:
    from urllib3._base_connection import BaseHTTPConnection


class WatchedConnection(HTTPConnection):
    """Notifies the attempt before it sends part of a request."""

    _is_connecting = False

    def connect(self) -> None:
        self._is_connecting = True
        try:
            super().connect()
        finally:
            self._is_connecting = False

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        # Data for a proxy is not part of the request.
        if not self._is_connecting and self.sock is not None:
            current_attempt().send_over(self.sock)
        super().send(data)


class WatchedSecureConnection(WatchedConnection, HTTPSConnection):
    pass


class WatchedPool(HTTPConnectionPool):
    """Never reuses a connection, which might close while an Open request is sent."""

    ConnectionCls = WatchedConnection

    def _put_conn(self, conn: BaseHTTPConnection | None) -> None:
        if conn is not None:
            conn.close()


class WatchedSecurePool(WatchedPool, HTTPSConnectionPool):
    ConnectionCls = WatchedSecureConnection


def watch(manager: PoolManager) -> None:
    # Otherwise, it would parse the location of a redirect, and fail if that isn't a URL.
    manager.urlopen = partial(manager.urlopen, redirect=False)  # type: ignore[method-assign]
    manager.pool_classes_by_scheme = {"http": WatchedPool, "https": WatchedSecurePool}

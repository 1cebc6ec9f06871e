"""Relays to proxies that ask for credentials, which must not be on a browser's command line."""

import asyncio
from asyncio import StreamReader, StreamWriter
from base64 import b64encode

from refusals import Json

CHUNK = 65_536


class Relay:
    """A proxy on this machine that needs no credentials, and adds the client's to every connection."""

    def __init__(self, proxy: Json) -> None:
        self._proxy = proxy
        self._credentials = [proxy["Username"].encode(), proxy["Password"].encode()]

    async def open(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def _serve(self, browser: StreamReader, to_browser: StreamWriter) -> None:
        scheme, host, port = self._proxy["Scheme"], self._proxy["Name"].strip("[]"), int(self._proxy["Port"])
        try:
            upstream, to_upstream = await asyncio.open_connection(host, port, ssl=scheme == "https")
            try:
                if scheme == "socks5":
                    await self._introduce_socks(browser, to_browser, upstream, to_upstream)
                else:
                    await self._introduce_http(browser, to_upstream)
                await asyncio.gather(_copy(browser, to_upstream), _copy(upstream, to_browser))
            finally:
                to_upstream.close()
        except (OSError, EOFError, asyncio.LimitOverrunError):
            # The browser's connection closes, and the browser shows that.
            pass
        finally:
            to_browser.close()

    async def _introduce_http(self, browser: StreamReader, to_upstream: StreamWriter) -> None:
        """Adds the credentials to a connection's first request, and allows no second one."""
        first, _, rest = (await browser.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        rest = rest.replace(b"Proxy-Connection: keep-alive", b"Connection: close")
        to_upstream.write(
            first + b"\r\nProxy-Authorization: Basic " + b64encode(b":".join(self._credentials)) + b"\r\n" + rest
        )

    async def _introduce_socks(
        self, browser: StreamReader, to_browser: StreamWriter, upstream: StreamReader, to_upstream: StreamWriter
    ) -> None:
        """Signs in as RFC 1929 describes it, and asks the browser for nothing."""
        _, methods = await browser.readexactly(2)
        await browser.readexactly(methods)
        to_upstream.write(b"\5\1\2")
        if await upstream.readexactly(2) != b"\5\2":
            raise ConnectionError("the proxy does not accept a user name")
        to_upstream.write(b"\1" + b"".join(bytes([len(each)]) + each for each in self._credentials))
        if (await upstream.readexactly(2))[1] != 0:
            raise ConnectionError("the proxy refuses the credentials")
        to_browser.write(b"\5\0")


async def _copy(reader: StreamReader, writer: StreamWriter) -> None:
    while data := await reader.read(CHUNK):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()

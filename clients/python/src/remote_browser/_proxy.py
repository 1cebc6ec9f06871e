from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit
from urllib.request import getproxies

from urllib3 import PoolManager, ProxyManager

from remote_browser._settings import Settings


def connect_pools(settings: Settings) -> PoolManager:
    """Returns connections to the service, through the environment's proxy for the URL, if any.

    Raises:
        ValueError: If the proxy is not supported.
    """
    proxies = getproxies()
    proxy = proxies.get(urlsplit(settings.url).scheme) or proxies.get("all") or ""
    if not proxy or _is_direct(settings.url, proxies.get("no") or ""):
        # Without retries and redirects of urllib3's own.
        return PoolManager(retries=False, cert_reqs="CERT_REQUIRED")
    if not proxy.lower().startswith(("http://", "https://")):
        raise ValueError(
            "The environment's proxy is not supported: it is a SOCKS proxy, or a URL without "
            f"http:// or https://. Add {settings.place} to NO_PROXY, or set another proxy "
            "in HTTPS_PROXY or HTTP_PROXY."
        )
    return ProxyManager(proxy, retries=False, cert_reqs="CERT_REQUIRED")


def _is_direct(url: str, no_proxy: str) -> bool:
    """Whether NO_PROXY lists the URL's host, a parent domain, or a network that contains it."""
    parts = urlsplit(url.lower())
    host, netloc = parts.hostname or "", parts.netloc
    for entry in filter(None, (each.strip().lower() for each in no_proxy.split(","))):
        name = entry.lstrip(".")
        if entry == "*" or _is_in_network(host, entry):
            return True
        if any(each == name or each.endswith(f".{name}") for each in (host, netloc)):
            return True
    return False


def _is_in_network(host: str, network: str) -> bool:
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False

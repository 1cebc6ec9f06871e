from __future__ import annotations

import re

# The secret part of an address is its id. In quoted JSON, slashes may be escaped.
_ID = re.compile(r"""(/devtools\\?/browser\\?/|/desktop\\?/)[^\s/?#"'<]+""")


_EXCERPT = 200


def without_secrets(text: str, *secrets: str) -> str:
    """Removes the token and the ids in addresses from text that comes from elsewhere.

    Pass strings parsed from JSON, not JSON text: there, an escape could hide a secret.
    """
    for secret in filter(None, secrets):
        text = text.replace(secret, "…")
    text = _ID.sub(r"\1…", text)
    # JSON can contain a lone surrogate, which can't be printed.
    return text.encode("utf-8", "replace").decode()


def excerpt(text: str, *secrets: str) -> str:
    """The beginning of a text that comes from elsewhere, on one line and without secrets."""
    text = " ".join(without_secrets(text, *secrets).split())
    shown = "".join(each if each.isprintable() else "�" for each in text[:_EXCERPT])
    return shown if len(text) <= _EXCERPT else f"{shown}…"

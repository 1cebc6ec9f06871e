from __future__ import annotations

import re

# The id is what is secret in an address; in JSON, as a page may quote it, slashes can be escaped.
_ID = re.compile(r"""(/devtools\\?/browser\\?/|/desktop\\?/)[^\s/?#"'<]+""")


_EXCERPT = 200


def without_secrets(text: str, *secrets: str) -> str:
    """What others wrote, without secrets that they know, and without the ids in addresses.

    Of JSON, give it what was read: in the text itself an escape would hide a secret.
    """
    for secret in filter(None, secrets):
        text = text.replace(secret, "…")
    text = _ID.sub(r"\1…", text)
    # JSON can name half a character, which nothing prints.
    return text.encode("utf-8", "replace").decode()


def excerpt(text: str, *secrets: str) -> str:
    """The beginning of what others wrote, on one line, and without secrets."""
    text = " ".join(without_secrets(text, *secrets).split())
    shown = "".join(each if each.isprintable() else "�" for each in text[:_EXCERPT])
    return shown if len(text) <= _EXCERPT else f"{shown}…"

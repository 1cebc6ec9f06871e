from __future__ import annotations

import re

# Matches the secret ids in addresses. In quoted JSON, slashes may be escaped.
_ID = re.compile(r"""(/devtools\\?/browser\\?/|/desktop\\?/)[^\s/?#"'<]+""")

_EXCERPT = 200


def without_secrets(text: str, *secrets: str) -> str:
    """Removes the token and the ids in addresses from text of other programs.

    Parse JSON before passing its strings, because JSON escapes could disguise a secret.
    """
    for secret in filter(None, secrets):
        text = text.replace(secret, "…")
    text = _ID.sub(r"\1…", text)
    # A lone surrogate from JSON can't be printed.
    return text.encode("utf-8", "replace").decode()


def excerpt(text: str, *secrets: str) -> str:
    """Returns the beginning of another program's text, on one line and without secrets."""
    text = " ".join(without_secrets(text, *secrets).split())
    shown = "".join(each if each.isprintable() else "�" for each in text[:_EXCERPT])
    return shown if len(text) <= _EXCERPT else f"{shown}…"

"""The words for every message kind, in both languages, and which step of the source documents a message shows.

The texts are data: `en/*.toml` and `zh-hans/*.toml`, a table a message kind with `title`, `text` (what it means), `happens` (what exactly is sent or written)
and `look` (what to look at now); `sources.toml` says where Kubernetes describes or does it. A kind is a message's `reason`; a name with a star
("Update*Status") serves every kind that has no table of its own. `{name}`, `{kind}`, ... are filled in from the message.
"""
from .seeds import seed_steps
from .texts import LANGUAGES, explain

__all__ = ["LANGUAGES", "explain", "seed_steps"]

"""The three forms in which a simulated run is written: a table for people, JSON lines for programs, a Mermaid diagram."""
import re
import unicodedata
from typing import NamedTuple

import orjson

from .explanations import explain, seed_steps

NAMES = {
    "en": {"user": "User", "kubectl": "kubectl", "apiserver": "API server", "etcd": "etcd", "controller-manager": "Controller manager",
           "scheduler": "Scheduler", "kubelet": "kubelet", "cri": "Container runtime", "cni": "CNI plugin", "csi": "CSI driver", "kube-proxy": "kube-proxy"},
    "zh-hans": {"user": "用户", "kubectl": "kubectl", "apiserver": "API 服务器", "etcd": "etcd", "controller-manager": "控制器管理器", "scheduler": "调度器",
                "kubelet": "kubelet", "cri": "容器运行时", "cni": "CNI 插件", "csi": "CSI 驱动", "kube-proxy": "kube-proxy"},
}
ORDER = tuple(NAMES["en"])


class Console(NamedTuple):
    """A kubectl command that was played: times in virtual ms, `exit` and `ended` None while it runs."""

    at: int
    command: str
    output: str
    exit: int | None
    ended: int | None


def seconds(at):
    return None if at is None else at / 1000


def jsonl(steps, consoles, changes, language):
    """One JSON object a line, in order of time; `changes` are store changes for `--objects`, or (): with them a message to etcd carries what is stored."""
    stored = {change.revision: change.object for change in changes}
    lines = [(step.at, 0, step_line(step, language, stored)) for step in steps]
    lines += [(change.at, 1, object_line(change)) for change in changes]
    lines += [(console.at, 2, console_line(console)) for console in consoles]
    for _, _, line in sorted(lines, key=lambda line: line[:2]):
        yield orjson.dumps(line).decode()


def step_line(step, language, stored):
    """`stored` is {revision: object}; a message about a revision that is not in it says the key only."""
    title, text = explain(step, language)
    thing = stored.get(step.revision, step.object) if step.target == "etcd" else step.object
    return {"type": "step", "seq": step.seq, "at": seconds(step.at), "source": step.source, "target": step.target, "reason": step.reason,
            "request": step.request, "object": thing, "revision": step.revision, "facts": step.facts, "seed": seed_steps(step), "title": title, "text": text}


def object_line(change):
    return {"type": "object", "at": seconds(change.at), "revision": change.revision, "key": change.key,
            "object": None if change.type == "DELETED" else change.object}


def console_line(console):
    return {"type": "console", "at": seconds(console.at), "command": console.command, "output": console.output, "exit": console.exit,
            "ended": seconds(console.ended)}


def table(steps, consoles, changes, language):
    """A line a message: time, who to whom, title, request, and the step of the source documents that it shows."""
    names = NAMES[language]
    for step in steps:
        title, _ = explain(step, language)
        seed = ",".join(seed_steps(step))
        where = step.facts.get("controller") or step.facts.get("node")
        arrow = f"{padded(names[step.source], left=True)} -> {padded(names[step.target])}"
        yield f"{step.at / 1000:9.3f}  {seed:8} {arrow} {title}" + (f"  [{where}]" if where else "") + (f"  {step.request}" if step.request else "")
    for console in consoles:
        yield f"\n$ {console.command}" + ("" if console.exit in (0, None) else f"    (exit {console.exit})")
        yield from console.output.splitlines()


def padded(text, width=18, left=False):
    """The text with blanks to a width in terminal columns: a Chinese character takes two."""
    blanks = " " * (width - sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text))
    return blanks + text if left else text + blanks


def mermaid(steps, consoles, changes, language):
    """A `sequenceDiagram` like the ones in the source documents: the actors that take part, an arrow a message."""
    names = NAMES[language]
    taking_part = {step.source for step in steps} | {step.target for step in steps}
    yield "sequenceDiagram"
    for actor in ORDER:
        if actor in taking_part:
            yield f"    participant {identifier(actor)} as {names[actor]}"
    for step in steps:
        seed = ",".join(seed_steps(step))
        title, _ = explain(step, language)
        arrow = "-->>" if step.reason.startswith(("Watch", "Respond")) else "->>"
        yield f"    {identifier(step.source)} {arrow} {identifier(step.target)}: {plain((f'{seed} ' if seed else '') + title)}"


def identifier(actor):
    return actor.replace("-", "_")


def plain(text):
    """Without the characters that end a message or start an entity in Mermaid."""
    return re.sub(r"[;#\n]", " ", text)


FORMATS = {"table": table, "jsonl": jsonl, "mermaid": mermaid}

"""Short help, and what was perhaps meant by a command that does not exist."""


def help_text(name, command, children=()):
    """The usage of a command, or the commands of a group."""
    if children:
        listed = "\n".join(f"  {child}" for child in children)
        return f"Available Commands:\n{listed}\n\nUsage:\n  {f'kubectl {name}'.strip()} COMMAND [flags]"
    flags = "" if not command.flags else "\n".join(f"    {f'-{flag.short}, ' if flag.short else ''}--{name}={_shown(flag)}" for name,
                                                   flag in sorted(command.flags.items()))
    return f"Usage:\n  kubectl {name} {command.usage}".rstrip() + (f"\n\nOptions:\n{flags}" if flags else "")


def _shown(flag):
    if flag.kind in ("strings", "array"):
        return "[]"
    if flag.kind == "duration":
        return f"{flag.default // 1000}s"
    return str(flag.default).lower() if flag.kind == "bool" else f"'{flag.default}'" if flag.kind == "string" else str(flag.default)


def suggestions(typed, known):
    """Cobra's "Did you mean this?": names at most two edits away, or that begin with what was typed."""
    near = [name for name in known if _distance(typed.lower(), name.lower()) <= 2 or name.lower().startswith(typed.lower())]
    return "\n\nDid you mean this?\n" + "".join(f"\t{name}\n" for name in near).rstrip("\n") if near else ""


def _distance(one, other):
    """Levenshtein's distance."""
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        previous, row[0] = row[0], place
        for column, wanted in enumerate(other, 1):
            previous, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, previous + (letter != wanted))
    return row[-1]

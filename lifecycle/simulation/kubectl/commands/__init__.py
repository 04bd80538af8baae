"""The commands, a module for each family: its COMMANDS say what it adds."""
from functools import lru_cache

from lifecycle.simulation.kubectl.commands import (
    api_resources,
    apply,
    attach,
    auth,
    autoscale,
    cluster_info,
    config,
    cordon,
    cp,
    create,
    create_access,
    create_config,
    create_policy,
    create_services,
    create_workloads,
    debug,
    delete,
    describe,
    diff,
    drain,
    events,
    exec,
    explain,
    expose,
    get,
    label,
    last_applied,
    logs,
    patch,
    replace,
    rollout,
    rollout_history,
    rollout_status,
    run,
    scale,
    set_env,
    set_fields,
    set_image,
    set_subject,
    taint,
    top,
    unavailable,
    wait,
)

FAMILIES = (api_resources, apply, attach, auth, autoscale, cluster_info, config, cordon, cp, create, create_access, create_config, create_policy,
            create_services, create_workloads, debug, delete, describe, diff, drain, events, exec, explain, expose, get, label, last_applied, logs, patch,
            replace, rollout, rollout_history, rollout_status, run, scale, set_env, set_fields, set_image, set_subject, taint, top, unavailable, wait)
GROUP_ALIASES = {("create", "service"): "svc"}


@lru_cache(1)
def table():
    """{("create", "deployment"): (its path, Command)}, aliases included."""
    found = {}
    for family in FAMILIES:
        for path, command in family.COMMANDS.items():
            for name in (path[-1], *command.aliases):
                found[(*path[:-1], name)] = path, command
    for group, alias in GROUP_ALIASES.items():
        found.update({(*group[:-1], alias, *path[len(group):]): entry for path, entry in found.items() if path[:len(group)] == group})
    return found

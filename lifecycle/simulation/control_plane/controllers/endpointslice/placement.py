"""How endpoints are spread over slices with as few writes as possible (staging/src/k8s.io/endpointslice/reconciler.go reconcileByPortMapping)."""

MOST = 100                     # endpoints in one slice


_names = {}             # id(endpoints) -> (endpoints, names)


def pods_of(endpoint_slice):
    """The names of the Pods behind a slice's endpoints."""
    endpoints = endpoint_slice.get("endpoints") or ()
    known = _names.get(id(endpoints))
    if known is None:
        if len(_names) > 1024:
            _names.clear()
        known = _names[id(endpoints)] = (endpoints, frozenset(endpoint["targetRef"]["name"] for endpoint in endpoints))
    return known[1]


def placed(slices, wanted):
    """What is to be written so that the slices hold what is wanted.

    `slices`: {name: slice} that exist; `wanted`: {Pod's name: (endpoint, ports), or None} of the Pods that changed, all others stay as they are.
    Returns (created, updated, deleted): [(endpoints, ports)] without a name, {name: (endpoints, ports)}, [name].
    """
    unplaced = {name: want for name, want in wanted.items() if want is not None}
    updated, unchanged, deleted = {}, {}, []
    for name, existing in slices.items():
        before = existing.get("endpoints") or []
        if before and wanted.keys().isdisjoint(pods_of(existing)):
            unchanged[name] = (before, existing["ports"])
            continue
        after = _kept(before, existing.get("ports"), unplaced, wanted)
        if not after:
            deleted.append(name)
        elif after != before:
            updated[name] = (after, existing["ports"])
        else:
            unchanged[name] = (after, existing["ports"])
    created = []
    for ports, endpoints in _by_ports(unplaced):
        created += _fill(ports, endpoints, updated, unchanged)
    return _recycled(created, updated, deleted, slices)


def _kept(before, ports, unplaced, wanted):
    """A slice's endpoints after the changes; those it keeps are taken from `unplaced`."""
    after = []
    for endpoint in before:
        name = endpoint["targetRef"]["name"]
        if name not in wanted:
            after.append(endpoint)
        elif name in unplaced and unplaced[name][1] == ports:
            new = unplaced.pop(name)[0]
            after.append(endpoint if new == endpoint else new)
    return after


def _by_ports(unplaced):
    """[(ports, [endpoint])]: endpoints of one slice all have the same ports."""
    groups = []
    for name in sorted(unplaced):
        endpoint, ports = unplaced[name]
        group = next((each for each in groups if each[0] == ports), None)
        if group is None:
            groups.append((ports, [endpoint]))
        else:
            group[1].append(endpoint)
    return groups


def _fill(ports, endpoints, updated, unchanged):
    """Put endpoints into slices that are written anyway, the fullest first, then into one that has room for all of them; returns slices to create."""
    for name in sorted((name for name, (_, these) in updated.items() if these == ports), key=lambda name: -len(updated[name][0])):
        room = MOST - len(updated[name][0])
        updated[name] = (updated[name][0] + endpoints[:room], ports)
        endpoints = endpoints[room:]
    created = []
    while endpoints:
        name = _fitting(ports, len(endpoints), unchanged) if len(endpoints) < MOST else None
        present = unchanged.pop(name)[0] if name else []
        room = MOST - len(present)
        filled, endpoints = (present + endpoints[:room], ports), endpoints[room:]
        if name:
            updated[name] = filled
        else:
            created.append(filled)
    return created


def _fitting(ports, needed, unchanged):
    """The unchanged slice that would be fullest with all of them."""
    fitting = [(len(present), name) for name, (present, these) in unchanged.items() if these == ports and len(present) + needed <= MOST]
    return max(fitting, key=lambda each: each[0])[1] if fitting else None


def _recycled(created, updated, deleted, slices):
    """A slice that would go takes the content of one that would come; without any endpoint one empty slice remains."""
    if len(deleted) == len(slices) and not created:
        created = [(None, None)]
    while created and deleted:
        name, content = deleted.pop(0), created.pop(0)
        if content != (slices[name].get("endpoints") or None, slices[name].get("ports") or None):
            updated[name] = content
    return created, updated, deleted

"""What a container finds in its volumes: texts of ConfigMaps, Secrets and the downward API; directories shared with others."""
from .environment import REFERENCE, contents, expanded, field_value

TOKEN_MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


def problem(container, env):
    """What is wrong with the paths below volumes that a container asks for, or None (pkg/kubelet/kubelet_pods.go makeMounts)."""
    for mount in container.get("volumeMounts", ()):
        path = sub_path(mount, env)
        missing = next((name for name in REFERENCE.findall(mount.get("subPathExpr", "")) if name and name not in env), None)
        if missing:
            return f'missing value for "{missing}"'
        if path.startswith("/"):
            return f"error SubPath `{path}` must not be an absolute path"
        if ".." in path.split("/"):
            return f"unable to provision SubPath `{path}`: must not contain '..'"
    return None


def sub_path(mount, env):
    """The path below the volume, or ""."""
    return mount.get("subPath") or expanded(mount.get("subPathExpr", ""), env)


def mounts(worker, container, env):
    """{mount path: [volume's name, {path: text} or None if it is a shared directory, read only]} without the service account's token."""
    volumes = {volume["name"]: volume for volume in worker.spec.get("volumes", ())}
    found = {}
    for mount in container.get("volumeMounts", ()):
        volume = volumes.get(mount["name"])
        if volume and mount["mountPath"] != TOKEN_MOUNT:
            texts = texts_of(worker, volume)
            below = sub_path(mount, env)
            name = mount["name"] + (f"/{below}" if below and texts is None else "")
            found[mount["mountPath"]] = [name, _below(texts, below), bool(mount.get("readOnly") or texts is not None)]
    return found


def _below(texts, sub_path):
    """The texts as they are seen through a subPath."""
    return {"/": texts.get(f"/{sub_path}", "")} if texts is not None and sub_path else texts


def texts_of(worker, volume):
    """{path: text} of a volume made from API objects, None for a directory."""
    if "projected" in volume:
        return {path: text for source in volume["projected"].get("sources", ()) for path, text in (texts_of(worker, source) or {}).items()}
    if "configMap" in volume:
        return _chosen(worker, volume["configMap"], "configmaps", volume["configMap"]["name"])
    if "secret" in volume:
        return _chosen(worker, volume["secret"], "secrets", volume["secret"].get("secretName") or volume["secret"].get("name"))
    if "downwardAPI" in volume:
        return {f"/{item['path']}": field_value(worker, item["fieldRef"]["fieldPath"]) for item in volume["downwardAPI"].get("items", ()) if "fieldRef" in item}
    return {} if "serviceAccountToken" in volume else None


def _chosen(worker, source, qualified, name):
    known = contents(worker.kubelet.api.get(qualified, worker.key.namespace, name))
    if not source.get("items"):
        return {f"/{key}": text for key, text in known.items()}
    return {f"/{item['path']}": known[item["key"]] for item in source["items"] if item["key"] in known}

"""Attach/detach controller: which volumes have to be attached to which nodes (pkg/controller/volume/attachdetach)."""
from ....component import Component
from ....objects import at, condition, is_deleting, is_terminal, name_of
from ....storage import attachment_name, claims_of, volume_id
from ....timings import API_CALL, MINUTE, SECOND

FORCE_DETACH = 6 * MINUTE      # maxWaitForUnmountDuration: an unhealthy node is not waited for any longer
RETRY = SECOND
ATTACH_WAIT = 2 * MINUTE       # so long an attachment is waited for before that is an error (pkg/volume/csi, watchTimeout)
FIRST_RETRY, LONGEST_RETRY = SECOND // 2, 122 * SECOND          # pkg/util/goroutinemap/exponentialbackoff
ATTACHMENTS = "volumeattachments.storage.k8s.io"
OUT_OF_SERVICE = "node.kubernetes.io/out-of-service"


class AttachDetach(Component):
    """Work keys are "VOLUME@NODE": one attachment, wanted or not. Keeps under "try KEY" {"times": failures in a row, "since": ms at which this try began}."""

    name = "attachdetach"
    user = "system:serviceaccount:kube-system:attachdetach-controller"
    event_source = {"component": "attachdetach-controller"}

    def watched(self):
        return {"pods": self._of_pod, ATTACHMENTS: self._of_attachment, "nodes": self._of_node, "persistentvolumeclaims": self._of_claim}

    def resync(self):
        for pod in self.api.list("pods"):
            yield from self._keys(pod)
        for attachment in self.api.list(ATTACHMENTS):
            yield self._key(attachment)

    # -- who is concerned --------------------------------------------------------------------------------------------------
    def _keys(self, pod):
        """The attachments that a scheduled Pod's volumes need."""
        node = pod["spec"].get("nodeName")
        if node:
            for claim_name in claims_of(pod):
                claim = self.api.get("persistentvolumeclaims", pod["metadata"]["namespace"], claim_name)
                if claim and claim["spec"].get("volumeName"):
                    yield f"{claim['spec']['volumeName']}@{node}"

    def _of_pod(self, change):
        old, new = change.previous, change.object
        if not new["spec"].get("nodeName") or not new["spec"].get("volumes"):
            return ()
        if change.type == "MODIFIED" and old["spec"].get("nodeName") and is_terminal(old) == is_terminal(new):
            return ()
        return list(self._keys(new))

    def _of_claim(self, change):
        if not change.object["spec"].get("volumeName"):
            return ()
        return [key for pod in self.indexes.find("pods by claim", name_of(change.object)).values() for key in self._keys(pod)]

    @staticmethod
    def _key(attachment):
        return f"{at(attachment, 'spec', 'source', 'persistentVolumeName')}@{attachment['spec']['nodeName']}"

    def _of_attachment(self, change):
        return (self._key(change.object),)

    def _of_node(self, change):
        """A node that no longer uses a volume lets it be detached."""
        before, now = (at(thing or {}, "status", "volumesInUse", default=[]) for thing in (change.previous, change.object))
        if before == now:
            return ()
        return [self._key(each) for each in self.api.list(ATTACHMENTS) if each["spec"]["nodeName"] == change.object["metadata"]["name"]]

    # -- what to do --------------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        volume_name, _, node_name = key.partition("@")
        volume, node = self.api.get("persistentvolumes", "", volume_name), self.api.get("nodes", "", node_name)
        attachment = next((each for each in self.api.list(ATTACHMENTS) if self._key(each) == key), None)
        users = self._users(volume, node_name) if volume else []
        if users and not attachment and node:
            return self._attach(volume, node_name, users)
        if attachment and not users and not is_deleting(attachment):
            return self._detach(key, attachment, volume, node)
        if users and attachment and not is_deleting(attachment) and not at(attachment, "status", "attached"):
            return self._wait(key, volume, attachment, users)
        self.write(f"try {key}", None)
        return self._report(volume, node, attachment, users) if volume and node else None

    def _wait(self, key, volume, attachment, users):
        """Wait until the driver has attached the volume. Each time that it fails the Pods are told, and the next look is later."""
        now = self.clock.now
        trying = self.read(f"try {key}")
        if trying is None:
            trying = {"times": 0, "since": now}
            self.write(f"try {key}", trying)
        error, deadline = at(attachment, "status", "attachError", "message"), trying["since"] + ATTACH_WAIT
        if trying["since"] > now or not error and deadline > now:
            return (trying["since"] if trying["since"] > now else deadline) - now
        csi, name = volume["spec"]["csi"], volume["metadata"]["name"]
        why = error or f"timed out waiting for external-attacher of {csi['driver']} CSI driver to attach volume {csi['volumeHandle']}"
        for pod in users:
            self.event(pod, "Warning", "FailedAttachVolume", f'AttachVolume.Attach failed for volume "{name}" : {why}')
        wait = min(FIRST_RETRY << trying["times"], LONGEST_RETRY)
        self.write(f"try {key}", {"times": trying["times"] + 1, "since": now + wait})
        return wait

    def _users(self, volume, node_name):
        """The Pods on the node that need the volume."""
        reference = volume["spec"].get("claimRef")
        if not reference or not volume_id(volume):
            return []
        pods = self.indexes.find("pods by claim", f"{reference['namespace']}/{reference['name']}").values()
        return [pod for pod in pods if pod["spec"].get("nodeName") == node_name and not is_terminal(pod)]

    def _attach(self, volume, node_name, users):
        elsewhere = any(at(each, "spec", "source", "persistentVolumeName") == volume["metadata"]["name"] for each in self.api.list(ATTACHMENTS))
        if elsewhere and not set(volume["spec"].get("accessModes", ())) & {"ReadWriteMany", "ReadOnlyMany"}:
            return self._refuse(volume, users)
        csi = volume["spec"]["csi"]
        self.api.create(ATTACHMENTS, "", {
            "apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment",
            "metadata": {"name": attachment_name(csi["volumeHandle"], csi["driver"], node_name)},
            "spec": {"attacher": csi["driver"], "nodeName": node_name, "source": {"persistentVolumeName": volume["metadata"]["name"]}},
            "status": {"attached": False}})
        return None

    def _refuse(self, volume, users):
        """The volume hangs on another node: tell each Pod, and look again when it may have been let go."""
        name = volume["metadata"]["name"]
        for pod in users:
            self.event(pod, "Warning", "FailedAttachVolume",
                       f'Multi-Attach error for volume "{name}" Volume is already exclusively attached to one node and can\'t be attached to another')
        return 30 * SECOND

    def _detach(self, key, attachment, volume, node):
        """Detach once the node no longer has the volume mounted; a node that cannot answer is not waited for for ever."""
        in_use = volume and node and volume_id(volume) in at(node, "status", "volumesInUse", default=[])
        if in_use and not self._may_force(key, node):
            return FORCE_DETACH if self._is_unhealthy(node) else None
        self.write(key, None)
        self.api.delete(ATTACHMENTS, "", attachment["metadata"]["name"])
        return None

    @staticmethod
    def _is_unhealthy(node):
        ready = condition(node, "Ready")
        return not ready or ready["status"] != "True"

    def _may_force(self, key, node):
        if any(taint["key"] == OUT_OF_SERVICE for taint in node["spec"].get("taints") or ()):
            return True
        since = self.read(key)
        if since is None:
            self.write(key, self.clock.now)
            return False
        return self._is_unhealthy(node) and self.clock.now - since >= FORCE_DETACH

    def _report(self, volume, node, attachment, users):
        """Keep Node status.volumesAttached true to what is attached, and tell the Pods."""
        name, identity = node["metadata"]["name"], volume_id(volume)
        listed = at(node, "status", "volumesAttached", default=[])
        attached = bool(attachment) and at(attachment, "status", "attached", default=False)
        rest = [each for each in listed if each["name"] != identity]
        if attached == (len(rest) < len(listed)):
            return None
        now = [*rest, {"name": identity, "devicePath": ""}] if attached else rest or None
        self.api.patch("nodes", "", name, {"status": {"volumesAttached": now}}, "status", "merge")
        if attached:
            for pod in users:
                self.event(pod, "Normal", "SuccessfulAttachVolume", f'AttachVolume.Attach succeeded for volume "{volume["metadata"]["name"]}" ')
        return API_CALL

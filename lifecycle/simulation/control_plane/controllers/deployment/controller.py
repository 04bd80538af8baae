"""The Deployment controller's loop: claim ReplicaSets, keep revisions, take the next step of the strategy, write the status."""
from ....component import Component
from ....objects import condition, is_deleting, name_of, replaced, split_key
from ....resources import resource
from ....selectors import matches
from ....timings import API_CALL
from ..adoption import adoptable, adoption, is_controlled_by, release
from ..retries import is_hopeless, retry_after
from . import cleanup, recreate, rolling, scaling, wakes
from .fenceposts import is_rolling
from .replica_sets import new_replica_set, rollout_of, same_template, size
from .revisions import REVISION, annotated, annotation, next_revision, scaled
from .status import PAUSED, RESUMED, calculated, conditions_of, has_deadline, is_complete, next_deadline, with_condition, with_progress

MOST_RETRIES = 15
SHARE, GROW, SHRINK = "share", "grow", "shrink"         # what a sync has begun to do to the sizes
CREATE = "create"


class Deployment(Component):
    """A sync goes over several work items. What the last one leaves to the next is kept on disk under the Deployment's name:

    `seen`: the version of the Deployment that this sync began with, if it has written a newer one; `created`: the ReplicaSet that is to be reported;
    `annotated`: the new ReplicaSet has its revision, the Deployment gets its own next time; `scaled`: how sizes were changed, so that the rest of that and the
    status are next; `failures`: how often no ReplicaSet could be created, and `error`, the last words.
    """

    name = "deployment"

    def watched(self):
        return {"deployments.apps": lambda change: wakes.of_deployment(change, self.manager),
                "replicasets.apps": lambda change: wakes.of_replica_set(change, self.api), "pods": lambda change: wakes.of_pod(change, self.api)}

    # -- one sync --------------------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        deployment = self.api.get("deployments.apps", *split_key(key))
        left = self.read(key) or {}
        if deployment is None:
            self.write(key, None)
            return None
        if self._next_write(key, deployment, left):
            return API_CALL
        deadline = next_deadline(deployment, self.clock)
        if deadline is not None:
            self.again(key, deadline)
        return None

    def _next_write(self, key, deployment, left):
        """Make the next write of the sync; False if there is none to make."""
        if "created" not in left and not is_deleting(deployment) and self._claim(deployment):
            return True
        rollout = rollout_of(deployment, self._controlled(deployment))
        if "created" in left:
            return self._report_created(key, rollout, left)
        if is_deleting(deployment):
            return self._report(key, rollout, left, estimate=False)
        return self._pause_or_resume(key, deployment) or self._keep_revision(key, rollout, left) or self._act(key, rollout, left)

    def _controlled(self, deployment):
        found = self.indexes.find("replicasets by owner", deployment["metadata"]["uid"]).values()
        return [each for each in found if is_controlled_by(each, deployment)]

    def _claim(self, deployment):
        """Adopt or release one ReplicaSet; whether there was one."""
        meta = deployment["metadata"]
        for each in self._controlled(deployment):
            if not matches(deployment["spec"]["selector"], each["metadata"].get("labels")):
                return self.api.patch("replicasets.apps", meta["namespace"], each["metadata"]["name"], release(each, meta["uid"])).ok
        for each in adoptable(self.indexes, "replicasets without controller", deployment):
            self.api.fetch("deployments.apps", meta["namespace"], meta["name"])
            return self.api.patch("replicasets.apps", meta["namespace"], each["metadata"]["name"], adoption(each, deployment)).ok
        return False

    def _act(self, key, rollout, left):
        """Share out replicas if their number changed or the rollout is paused, else take the strategy's next step; then the status."""
        deployment, scaled = rollout.deployment, left.get("scaled")
        sharing = scaled == SHARE or not scaled and (deployment["spec"].get("paused", False) or scaling.is_scaling_event(rollout))
        if scaled == GROW:
            step = None
        elif sharing:
            step = scaling.next_scale(rollout)
        elif is_rolling(deployment):
            step = self._roll(rollout, scaled)
        else:
            step = self._recreate(rollout, scaled)
        if step == CREATE:
            return self._create(key, rollout, left)
        if step:
            return self._scale(key, rollout, *step, SHARE if sharing else GROW if step[0] is rollout.new else SHRINK)
        return not scaled and self._clean_up(rollout) or self._report(key, rollout, left, estimate=not sharing)

    @staticmethod
    def _roll(rollout, scaled):
        if rollout.new is None:
            return CREATE
        return rolling.next_shrink(rollout) if scaled == SHRINK else rolling.next_scale(rollout)

    def _recreate(self, rollout, scaled):
        step = recreate.next_shrink(rollout)
        if step or scaled == SHRINK or recreate.old_pods_run(rollout, self.indexes):
            return step
        return recreate.next_growth(rollout) if rollout.new else CREATE

    def _saying(self, deployment, *condition):
        """The Deployment with a condition (type, status, reason, message)."""
        return replaced(deployment, with_condition(conditions_of(deployment), *condition, self.clock.timestamp()), "status", "conditions")

    # -- writes ----------------------------------------------------------------------------------------------------------------
    def _say(self, rollout, **facts):
        self.say(self.actor, "ReconcileDeployment", None, resource("deployments.apps").key(*split_key(name_of(rollout.deployment))), facts)

    def _create(self, key, rollout, left):
        if left.get("error"):
            return self._report_failure(key, rollout, left)
        replicas = rolling.new_size(rollout) if is_rolling(rollout.deployment) else rollout.wanted
        made = new_replica_set(rollout, next_revision(rollout.old), replicas)
        name, namespace = made["metadata"]["name"], made["metadata"]["namespace"]
        self._say(rollout, create=name, replicas=replicas)
        response = self.api.create("replicasets.apps", namespace, made)
        if response.ok:
            self.write(key, {**left, "created": name})
            if replicas:
                self.event(rollout.deployment, "Normal", "ScalingReplicaSet", f"Scaled up replica set {name} from 0 to {replicas}")
        elif response.reason == "AlreadyExists":
            self._collide(key, rollout, name)
        elif is_hopeless(response):
            return False
        else:
            self.write(key, {"failures": left.get("failures", 0) + 1, "error": f'Failed to create new replica set "{name}": {response.body["message"]}'})
        return True

    def _collide(self, key, rollout, name):
        """The name is taken. If it is our own ReplicaSet, its creation was seen late; else the hash gets another ingredient."""
        deployment = rollout.deployment
        other = self.api.get("replicasets.apps", deployment["metadata"]["namespace"], name)
        if other is not None and is_controlled_by(other, deployment) and same_template(other, deployment):
            self.write(key, {"created": name})
            return
        collisions = (deployment.get("status") or {}).get("collisionCount", 0) + 1
        self.api.update_status("deployments.apps", replaced(deployment, collisions, "status", "collisionCount"))

    def _report_created(self, key, rollout, left):
        """The Deployment takes over the revision and says which ReplicaSet it made. After a pause that is refused: this sync began with an older Deployment."""
        self.write(key, None)
        deployment, name = rollout.deployment, left["created"]
        if rollout.new is None:
            return True
        if "seen" in left:
            deployment = replaced(deployment, left["seen"], "metadata", "resourceVersion")
        deployment = replaced(deployment, annotation(rollout.new, REVISION), "metadata", "annotations", REVISION)
        if has_deadline(deployment):
            deployment = self._saying(deployment, "Progressing", "True", "NewReplicaSetCreated", f'Created new replica set "{name}"')
        self.api.update_status("deployments.apps", deployment)
        return True

    def _report_failure(self, key, rollout, left):
        """Say in a condition and an event why there is no ReplicaSet, and try again later."""
        deployment, failures = rollout.deployment, left["failures"]
        self.event(deployment, "Warning", "ReplicaSetCreateError", left["error"])
        said = self._saying(deployment, "Progressing", "False", "ReplicaSetCreateError", left["error"])
        if has_deadline(deployment) and said != deployment:
            self.api.update_status("deployments.apps", said)
        self.write(key, {"failures": failures})
        if failures <= MOST_RETRIES:
            self.again(key, retry_after(failures))
        return False

    def _pause_or_resume(self, key, deployment):
        """Say in the Progressing condition that the rollout was paused or goes on; a missed deadline stays said."""
        known = condition(deployment, "Progressing")
        reason = known["reason"] if known else ""
        paused = deployment["spec"].get("paused", False)
        if not has_deadline(deployment) or reason == "ProgressDeadlineExceeded" or paused == (reason == "DeploymentPaused"):
            return False
        self.write(key, {"seen": deployment["metadata"]["resourceVersion"]})
        return self.api.update_status("deployments.apps", self._saying(deployment, *(PAUSED if paused else RESUMED))).ok

    def _keep_revision(self, key, rollout, left):
        """The new ReplicaSet takes the Deployment's annotations and the highest revision; then the Deployment takes its revision over."""
        deployment, new = rollout.deployment, rollout.new
        if new is None or "annotated" in left or "scaled" in left:
            return False
        kept = annotated(deployment, new, next_revision(rollout.old))
        least = deployment["spec"].get("minReadySeconds", 0)
        if new["spec"].get("minReadySeconds", 0) != least:
            kept = replaced(kept, least, "spec", "minReadySeconds")
        if kept is not new:
            self._say(rollout, annotate=new["metadata"]["name"], revision=annotation(kept, REVISION))
            self.write(key, {"annotated": True})
            return self.api.update("replicasets.apps", kept).ok
        return self._take_over_revision(deployment, new)

    def _take_over_revision(self, deployment, new):
        changed = deployment
        if annotation(deployment, REVISION) != annotation(new, REVISION):
            changed = replaced(changed, annotation(new, REVISION), "metadata", "annotations", REVISION)
        if has_deadline(deployment) and condition(deployment, "Progressing") is None:
            changed = self._saying(changed, "Progressing", "True", "FoundNewReplicaSet", f'Found new replica set "{new["metadata"]["name"]}"')
        return changed is not deployment and self.api.update_status("deployments.apps", changed).ok

    def _scale(self, key, rollout, replica_set, replicas, scaled_how):
        name, before = replica_set["metadata"]["name"], size(replica_set)
        self._say(rollout, scale=name, replicas=replicas, before=before)
        response = self.api.update("replicasets.apps", scaled(rollout.deployment, replica_set, replicas))
        if response.ok and replicas != before:
            direction = "up" if replicas > before else "down"
            self.event(rollout.deployment, "Normal", "ScalingReplicaSet", f"Scaled {direction} replica set {name} from {before} to {replicas}")
        self.write(key, {"scaled": scaled_how})
        return True

    def _clean_up(self, rollout):
        """Delete one old ReplicaSet beyond the history limit, when a rollout is complete or paused."""
        deployment = rollout.deployment
        if not deployment["spec"].get("paused") and not is_complete(deployment, deployment.get("status") or {}):
            return False
        old = cleanup.next_removal(rollout)
        return old is not None and self.api.delete("replicasets.apps", old["metadata"]["namespace"], old["metadata"]["name"]).ok

    def _report(self, key, rollout, left, estimate):
        """Write the status if it says something new; `estimate` whether the rollout's progress is judged too."""
        if left:
            self.write(key, None)
        deployment = rollout.deployment
        status = calculated(rollout, self.clock.timestamp())
        if estimate:
            status = with_progress(rollout, status, self.clock)
        if status == deployment.get("status"):
            return bool(left)
        return self.api.update_status("deployments.apps", {**deployment, "status": status}).ok

"""Admission: what may be, and what is added to it on the way, as a list of small functions per kind and operation.

The order is that of Kubernetes' own plugins (pkg/kubeapiserver/options/plugins.go). Mutating functions are `f(call, new, old) -> new`, validating ones
`f(call, new, old)`; both raise Refused.
"""
from . import limits, namespaces, nodes, pod_security, pods, policies, quota, service_accounts, storage

MUTATING = {
    ("create", "pods"): (limits.default_pod, service_accounts.mount_token, pods.set_priority, pods.tolerate_for_a_while, pods.add_overhead),
    ("update", "pods"): (pods.keep_priority, pods.tolerate_for_a_while),
    ("create", "persistentvolumeclaims"): (storage.default_class, storage.protect_claim),
    ("create", "persistentvolumes"): (storage.protect_volume,),
    ("create", "nodes"): (nodes.taint_new,),
    ("create", "ingresses.networking.k8s.io"): (storage.default_ingress_class,),
}
VALIDATING = {
    ("create", "pods"): (limits.check_pod, service_accounts.check_secrets, pod_security.check_pod),
    ("update", "pods"): (pod_security.check_pod,),
    ("create", "persistentvolumeclaims"): (limits.check_claim,),
    ("update", "persistentvolumeclaims"): (limits.check_claim, storage.check_resize),
    ("create", "namespaces"): (pod_security.check_namespace,),
    ("update", "namespaces"): (pod_security.check_namespace,),
    ("delete", "namespaces"): (namespaces.refuse_immortal,),
    **{("create", kind): (pod_security.warn_about_template,) for kind in pod_security.TEMPLATES},
    **{("update", kind): (pod_security.warn_about_template,) for kind in pod_security.TEMPLATES},
}
NONE = ()


def mutate(call, operation, new, old):
    """`new` as mutating admission leaves it."""
    if operation == "create":
        namespaces.check_namespace(call, new)
    for function in MUTATING.get((operation, call.resource.qualified), NONE):
        new = function(call, new, old)
    return new


def validate(call, operation, new, old):
    """Validating admission; the quota is asked last, and charged when the object is written."""
    for function in VALIDATING.get((operation, call.resource.qualified), NONE):
        function(call, new, old)
    policies.check(call, operation, new, old)
    if operation != "delete" and call.resource.namespaced:
        quota.check(call, new, old)

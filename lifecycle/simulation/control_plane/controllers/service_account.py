"""What every namespace gets: the ServiceAccount "default", and the ConfigMap with the certificate of the API server."""
from ...component import Component
from ...objects import is_deleting, name_of

ROOT_CA = "kube-root-ca.crt"
CERTIFICATE = "-----BEGIN CERTIFICATE-----\nc2ltdWxhdGVk\n-----END CERTIFICATE-----\n"      # nobody checks it: there is no TLS inside the simulation
DESCRIPTION = (
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or "
    "kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.")


def namespace_of(change):
    """Watch function: the namespace of a removed object."""
    return (change.object["metadata"]["namespace"],) if change.type == "DELETED" else ()


def published(change):
    """Watch function: the namespace of a certificate that was changed or removed."""
    meta = change.object["metadata"]
    return (meta["namespace"],) if meta["name"] == ROOT_CA and change.type != "ADDED" else ()


class ServiceAccounts(Component):
    """Makes the ServiceAccount "default" wherever it is missing (pkg/controller/serviceaccount)."""

    name = "serviceaccount"
    user = "system:serviceaccount:kube-system:service-account-controller"

    def watched(self):
        return {"namespaces": lambda change: (name_of(change.object),) if change.type == "ADDED" else (), "serviceaccounts": namespace_of}

    def reconcile(self, key):
        namespace = self.api.get("namespaces", "", key)
        if namespace and not is_deleting(namespace) and not self.api.get("serviceaccounts", key, "default"):
            self.api.create("serviceaccounts", key, {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": key}})


class RootCertificates(Component):
    """Publishes the certificate authority's certificate into every namespace (pkg/controller/certificates/rootcacertpublisher)."""

    name = "root-ca-cert-publisher"
    user = "system:serviceaccount:kube-system:root-ca-cert-publisher"

    def watched(self):
        return {"namespaces": lambda change: (name_of(change.object),) if change.type == "ADDED" else (), "configmaps": published}

    def reconcile(self, key):
        if not self.api.get("namespaces", "", key):
            return
        found, data = self.api.get("configmaps", key, ROOT_CA), {"ca.crt": CERTIFICATE}
        described = {"kubernetes.io/description": DESCRIPTION}
        if found is None:
            meta = {"name": ROOT_CA, "namespace": key, "annotations": described}
            self.api.create("configmaps", key, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data})
        elif found.get("data") != data or (found["metadata"].get("annotations") or {}) != described:
            self.api.update("configmaps", {**found, "metadata": {**found["metadata"], "annotations": described}, "data": data})

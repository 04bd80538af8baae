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
        return {"namespaces": lambda change: (name_of(change.object),) if change.type == "ADDED" else (),
                "configmaps": lambda change: namespace_of(change) if change.object["metadata"]["name"] == ROOT_CA else ()}

    def reconcile(self, key):
        if self.api.get("namespaces", "", key) and not self.api.get("configmaps", key, ROOT_CA):
            meta = {"name": ROOT_CA, "namespace": key, "annotations": {"kubernetes.io/description": DESCRIPTION}}
            self.api.create("configmaps", key, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"ca.crt": CERTIFICATE}})

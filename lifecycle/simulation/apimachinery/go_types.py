"""Names of Go types that the API server's decoder prints and that the OpenAPI definitions do not hold (staging/src/k8s.io/api/*/types.go)."""

# Structs inside structs whose fields stand directly in the outer object: {outer struct: {field: Go name of the inner struct}}.
_OBJECT_REFERENCE = {"name": "LocalObjectReference"}
_CONTAINER_FIELDS = (
    "name", "image", "command", "args", "workingDir", "ports", "envFrom", "env", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules",
    "volumeMounts", "volumeDevices", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "terminationMessagePath",
    "terminationMessagePolicy", "imagePullPolicy", "securityContext", "stdin", "stdinOnce", "tty")
_VOLUME_SOURCES = (
    "hostPath", "emptyDir", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "secret", "nfs", "iscsi", "glusterfs", "persistentVolumeClaim",
    "rbd", "flexVolume", "cinder", "cephfs", "flocker", "downwardAPI", "fc", "azureFile", "configMap", "vsphereVolume", "quobyte", "azureDisk",
    "photonPersistentDisk", "projected", "portworxVolume", "scaleIO", "storageos", "csi", "ephemeral", "image", "local")

EMBEDDED = {
    "Volume": dict.fromkeys(_VOLUME_SOURCES, "VolumeSource"),
    "PersistentVolumeSpec": dict.fromkeys(_VOLUME_SOURCES, "PersistentVolumeSource"),
    "Probe": dict.fromkeys(("exec", "httpGet", "tcpSocket", "grpc"), "ProbeHandler"),
    "EphemeralContainer": dict.fromkeys(_CONTAINER_FIELDS, "EphemeralContainerCommon"),
    "IngressRule": {"http": "IngressRuleValue"},
    **dict.fromkeys(("ConfigMapEnvSource", "ConfigMapKeySelector", "ConfigMapProjection", "ConfigMapVolumeSource"), _OBJECT_REFERENCE),
    **dict.fromkeys(("SecretEnvSource", "SecretKeySelector", "SecretProjection"), _OBJECT_REFERENCE),
}

# String fields whose Go type has a name of its own, by the field's JSON name.
NAMED_STRINGS = {
    "restartPolicy": "v1.RestartPolicy",
    "dnsPolicy": "v1.DNSPolicy",
    "preemptionPolicy": "v1.PreemptionPolicy",
    "imagePullPolicy": "v1.PullPolicy",
    "terminationMessagePolicy": "v1.TerminationMessagePolicy",
    "protocol": "v1.Protocol",
    "scheme": "v1.URIScheme",
    "sessionAffinity": "v1.ServiceAffinity",
    "externalTrafficPolicy": "v1.ServiceExternalTrafficPolicy",
    "whenUnsatisfiable": "v1.UnsatisfiableConstraintAction",
    "podManagementPolicy": "v1.PodManagementPolicyType",
    "concurrencyPolicy": "v1.ConcurrencyPolicy",
    "completionMode": "v1.CompletionMode",
    "podReplacementPolicy": "v1.PodReplacementPolicy",
    "persistentVolumeReclaimPolicy": "v1.PersistentVolumeReclaimPolicy",
    "reclaimPolicy": "v1.PersistentVolumeReclaimPolicy",
    "volumeMode": "v1.PersistentVolumeMode",
    "volumeBindingMode": "v1.VolumeBindingMode",
    "accessModes": "v1.PersistentVolumeAccessMode",
    "medium": "v1.StorageMedium",
    "effect": "v1.TaintEffect",
    "mountPropagation": "v1.MountPropagationMode",
    "unhealthyPodEvictionPolicy": "v1.UnhealthyPodEvictionPolicyType",
    "policyTypes": "v1.PolicyType",
    "pathType": "v1.PathType",
    "addressType": "v1.AddressType",
    "uid": "types.UID",
    "phase": "v1.PodPhase",
}

"""How Go writes empty values of the API's structs: what it always prints, and what it leaves out although it was given
(`omitempty` and pointers in staging/src/k8s.io/api/*/types.go; the OpenAPI definitions do not say it)."""


def _table(text):
    """{struct: frozenset of fields} from lines "Struct Struct: field field"."""
    table = {}
    for line in text.strip().splitlines():
        structs, _, fields = line.partition(":")
        for struct in structs.split():
            table[struct] = table.get(struct, frozenset()) | frozenset(fields.split())
    return table


# Structs that are no pointers: printed as {} (or with their own zeros) even if nothing was given.
STRUCTS = _table("""
    Binding: target
    Container EphemeralContainer: resources
    ContainerStatus: state lastState
    CronJob DaemonSet Deployment HorizontalPodAutoscaler Job Namespace Node PersistentVolume PersistentVolumeClaim Pod: spec status
    PodDisruptionBudget ReplicaSet ReplicationController ResourceQuota Scale Service StatefulSet Ingress VolumeAttachment: spec status
    CSIDriver CSINode IngressClass Lease LimitRange NetworkPolicy: spec
    CronJobSpec: jobTemplate
    DaemonSetSpec StatefulSetSpec: template updateStrategy
    DeploymentSpec: template strategy
    Event: involvedObject source deprecatedSource
    IngressStatus ServiceStatus: loadBalancer
    JobSpec ReplicaSetSpec: template
    JobTemplateSpec PodTemplateSpec: metadata spec
    NetworkPolicySpec: podSelector
    NodeDaemonEndpoints: kubeletEndpoint
    NodeStatus: daemonEndpoints nodeInfo
    PersistentVolumeClaimSpec: resources
    PersistentVolumeClaimTemplate: spec
    PodTemplate: template
    PreferredSchedulingTerm: preference
    WeightedPodAffinityTerm: podAffinityTerm
""")

# Times that are no pointers: printed as null.
TIMES = _table("""
    ContainerStateRunning: startedAt
    ContainerStateTerminated: startedAt finishedAt
    DaemonSetCondition ReplicaSetCondition ReplicationControllerCondition StatefulSetCondition NamespaceCondition: lastTransitionTime
    DeploymentCondition: lastUpdateTime lastTransitionTime
    Event: firstTimestamp lastTimestamp eventTime deprecatedFirstTimestamp deprecatedLastTimestamp
    JobCondition PersistentVolumeClaimCondition PodCondition: lastProbeTime lastTransitionTime
    NodeCondition: lastHeartbeatTime lastTransitionTime
""")

# Lists without `omitempty`: printed as null when they are empty.
LISTS = _table("""
    EndpointSlice: endpoints ports
    Role ClusterRole: rules
""")

# Scalars without `omitempty` that may be left out: printed as "", 0 or false, as are all that must be given.
SCALARS = _table("""
    ContainerStateTerminated: exitCode
    ContainerStatus: name ready restartCount image imageID
    ControllerRevision: revision
    DaemonSetStatus: currentNumberScheduled numberMisscheduled desiredNumberScheduled numberReady
    DaemonEndpoint: Port
    Event: reportingComponent reportingInstance
    HorizontalPodAutoscalerStatus: desiredReplicas
    NodeRuntimeHandler: name
    NodeSystemInfo: machineID systemUUID bootID kernelVersion osImage containerRuntimeVersion kubeletVersion kubeProxyVersion operatingSystem architecture
    PodDisruptionBudgetStatus: disruptionsAllowed currentHealthy desiredHealthy expectedPods
    PriorityClass: value
    ReplicaSetStatus ReplicationControllerStatus ScaleStatus: replicas
    StatefulSetStatus: replicas availableReplicas
    VolumeAttachmentStatus: attached
""")

# Numbers and booleans with `omitempty` that are no pointers: 0 and false are not kept.
OMITTED = _table("""
    AWSElasticBlockStoreVolumeSource GCEPersistentDiskVolumeSource: partition readOnly
    AzureFilePersistentVolumeSource AzureFileVolumeSource CephFSPersistentVolumeSource CephFSVolumeSource CinderPersistentVolumeSource: readOnly
    CinderVolumeSource: readOnly
    CSIPersistentVolumeSource FCVolumeSource FlexPersistentVolumeSource FlexVolumeSource GlusterfsVolumeSource ISCSIPersistentVolumeSource: readOnly
    ISCSIVolumeSource NFSVolumeSource PersistentVolumeClaimVolumeSource PortworxVolumeSource QuobyteVolumeSource RBDPersistentVolumeSource: readOnly
    RBDVolumeSource ScaleIOPersistentVolumeSource ScaleIOVolumeSource StorageOSPersistentVolumeSource StorageOSVolumeSource: readOnly
    VolumeMount VolumeMountStatus: readOnly
    ISCSIPersistentVolumeSource ISCSIVolumeSource: chapAuthDiscovery chapAuthSession
    Container EphemeralContainer: stdin stdinOnce tty
    ContainerImage: sizeBytes
    ContainerPort: hostPort
    ContainerStateTerminated: signal
    CustomResourceColumnDefinition: priority
    CustomResourceDefinitionSpec: preserveUnknownFields
    CustomResourceDefinitionVersion: deprecated
    DaemonSetSpec ReplicaSetSpec ReplicationControllerSpec StatefulSetSpec: minReadySeconds
    DaemonSetStatus: numberAvailable numberUnavailable observedGeneration updatedNumberScheduled
    DeploymentSpec: minReadySeconds paused
    DeploymentStatus: availableReplicas observedGeneration readyReplicas replicas unavailableReplicas updatedReplicas
    Event: count deprecatedCount
    EventSeries: count
    HorizontalPodAutoscalerStatus: currentReplicas
    JobStatus: active failed succeeded
    NodeSpec: unschedulable
    ObjectMeta: generation
    PodDisruptionBudgetStatus: observedGeneration
    PodSpec: hostIPC hostNetwork hostPID
    PodStatus PodCondition Condition: observedGeneration
    PriorityClass: globalDefault
    Probe: failureThreshold initialDelaySeconds periodSeconds successThreshold timeoutSeconds
    ReplicaSetStatus ReplicationControllerStatus: availableReplicas fullyLabeledReplicas observedGeneration readyReplicas
    ScaleIOPersistentVolumeSource ScaleIOVolumeSource: sslEnabled
    ScaleSpec: replicas
    ServiceBackendPort: number
    ServicePort: nodePort
    ServiceSpec: healthCheckNodePort publishNotReadyAddresses
    StatefulSetOrdinals: start
    StatefulSetStatus: currentReplicas observedGeneration readyReplicas updatedReplicas
    SubjectAccessReviewStatus: denied
    TokenReviewStatus: authenticated
    APIServiceSpec: insecureSkipTLSVerify
""")

# Scalars that must be given and are pointers all the same.
POINTERS = _table("""
    HTTPIngressPath: pathType
""")

# Optional strings that are pointers: "" is kept.
POINTER_STRINGS = _table("""
    AppArmorProfile SeccompProfile: localhostProfile
    CSIVolumeSource: fsType
    CronJobSpec: timeZone
    Endpoint: hostname nodeName zone
    EndpointPort: name protocol appProtocol
    GRPCAction: service
    HostPathVolumeSource: type
    IngressSpec: ingressClassName
    JobSpec: completionMode podReplacementPolicy managedBy
    LeaseSpec: holderIdentity strategy preferredHolder
    PersistentVolumeClaimSpec: storageClassName volumeMode volumeAttributesClassName
    PersistentVolumeSpec: volumeMode volumeAttributesClassName
    PodDNSConfigOption: value
    PodSpec: hostnameOverride preemptionPolicy runtimeClassName
    ServicePort: appProtocol
    ServiceSpec: internalTrafficPolicy ipFamilyPolicy loadBalancerClass
    TypedLocalObjectReference TypedObjectReference: apiGroup namespace
    WindowsSecurityContextOptions: gmsaCredentialSpecName gmsaCredentialSpec runAsUserName
""")

/**
 * The Go types of the fields that a rule of ours reads, per struct, so that a manifest is decoded as the API server decodes
 * it (k8s.io/api core/v1, storage/v1, apps/v1, scheduling/v1, policy/v1, apimachinery meta/v1, v1.35). A field that stands in no list
 * is kept as it is.
 *
 * One `field:type` a word. Types: `s` string, `b` bool, `i32` and `i64`, `q` resource.Quantity, `is` IntOrString, `bytes`,
 * `[]` and `{}` in front of a type for a list and for a map by string, the name of a struct, or of a string type of its own.
 */
const STRUCTS = {
  ObjectMeta: 'name:s generateName:s namespace:s labels:{}s annotations:{}s finalizers:[]s ownerReferences:[]OwnerReference',
  OwnerReference: 'apiVersion:s kind:s name:s uid:UID controller:b blockOwnerDeletion:b',
  ObjectReference: 'apiVersion:s kind:s name:s namespace:s uid:UID resourceVersion:s fieldPath:s',
  LabelSelector: 'matchLabels:{}s matchExpressions:[]LabelSelectorRequirement',
  LabelSelectorRequirement: 'key:s operator:LabelSelectorOperator values:[]s',
  NodeSelector: 'nodeSelectorTerms:[]NodeSelectorTerm',
  NodeSelectorTerm: 'matchExpressions:[]NodeSelectorRequirement matchFields:[]NodeSelectorRequirement',
  NodeSelectorRequirement: 'key:s operator:NodeSelectorOperator values:[]s',

  PersistentVolumeClaim: 'metadata:ObjectMeta spec:PersistentVolumeClaimSpec',
  PersistentVolumeClaimSpec: 'accessModes:[]PersistentVolumeAccessMode selector:LabelSelector resources:VolumeResourceRequirements volumeName:s storageClassName:s volumeMode:PersistentVolumeMode dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference volumeAttributesClassName:s',
  TypedLocalObjectReference: 'apiGroup:s kind:s name:s',
  TypedObjectReference: 'apiGroup:s kind:s name:s namespace:s',
  VolumeResourceRequirements: 'limits:{}q requests:{}q',
  PersistentVolume: 'metadata:ObjectMeta spec:PersistentVolumeSpec',
  PersistentVolumeSpec:
    'capacity:{}q accessModes:[]PersistentVolumeAccessMode claimRef:ObjectReference persistentVolumeReclaimPolicy:PersistentVolumeReclaimPolicy storageClassName:s mountOptions:[]s volumeMode:PersistentVolumeMode nodeAffinity:VolumeNodeAffinity volumeAttributesClassName:s csi:CSIPersistentVolumeSource hostPath:HostPathVolumeSource local:LocalVolumeSource nfs:NFSVolumeSource',
  VolumeNodeAffinity: 'required:NodeSelector',
  CSIPersistentVolumeSource: 'driver:s volumeHandle:s readOnly:b fsType:s volumeAttributes:{}s controllerPublishSecretRef:SecretReference nodeStageSecretRef:SecretReference nodePublishSecretRef:SecretReference controllerExpandSecretRef:SecretReference nodeExpandSecretRef:SecretReference',
  SecretReference: 'name:s namespace:s',
  HostPathVolumeSource: 'path:s type:HostPathType',
  LocalVolumeSource: 'path:s fsType:s',
  NFSVolumeSource: 'server:s path:s readOnly:b',

  StorageClass: 'metadata:ObjectMeta provisioner:s parameters:{}s reclaimPolicy:PersistentVolumeReclaimPolicy mountOptions:[]s allowVolumeExpansion:b volumeBindingMode:VolumeBindingMode allowedTopologies:[]TopologySelectorTerm',
  TopologySelectorTerm: 'matchLabelExpressions:[]TopologySelectorLabelRequirement',
  TopologySelectorLabelRequirement: 'key:s values:[]s',
  VolumeAttachment: 'metadata:ObjectMeta spec:VolumeAttachmentSpec',
  VolumeAttachmentSpec: 'attacher:s source:VolumeAttachmentSource nodeName:s',
  VolumeAttachmentSource: 'persistentVolumeName:s',
  CSIDriver: 'metadata:ObjectMeta spec:CSIDriverSpec',
  CSIDriverSpec: 'attachRequired:b podInfoOnMount:b volumeLifecycleModes:[]VolumeLifecycleMode storageCapacity:b fsGroupPolicy:FSGroupPolicy requiresRepublish:b',
  CSINode: 'metadata:ObjectMeta spec:CSINodeSpec',
  CSINodeSpec: 'drivers:[]CSINodeDriver',
  CSINodeDriver: 'name:s nodeID:s topologyKeys:[]s allocatable:VolumeNodeResources',
  VolumeNodeResources: 'count:i32',

  Pod: 'metadata:ObjectMeta spec:PodSpec',
  PodSpec:
    'volumes:[]Volume initContainers:[]Container containers:[]Container restartPolicy:RestartPolicy terminationGracePeriodSeconds:i64 activeDeadlineSeconds:i64 dnsPolicy:DNSPolicy nodeSelector:{}s serviceAccountName:s serviceAccount:s automountServiceAccountToken:b nodeName:s securityContext:PodSecurityContext hostname:s subdomain:s affinity:Affinity schedulerName:s tolerations:[]Toleration priorityClassName:s priority:i32 enableServiceLinks:b preemptionPolicy:PreemptionPolicy topologySpreadConstraints:[]TopologySpreadConstraint',
  PodSecurityContext: 'runAsUser:i64 runAsGroup:i64 fsGroup:i64 fsGroupChangePolicy:PodFSGroupChangePolicy supplementalGroups:[]i64',
  Container:
    'name:s image:s command:[]s args:[]s workingDir:s ports:[]ContainerPort envFrom:[]EnvFromSource env:[]EnvVar resources:ResourceRequirements restartPolicy:ContainerRestartPolicy volumeMounts:[]VolumeMount volumeDevices:[]VolumeDevice livenessProbe:Probe readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle terminationMessagePath:s terminationMessagePolicy:TerminationMessagePolicy imagePullPolicy:PullPolicy securityContext:SecurityContext',
  Probe: 'exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction grpc:GRPCAction initialDelaySeconds:i32 timeoutSeconds:i32 periodSeconds:i32 successThreshold:i32 failureThreshold:i32 terminationGracePeriodSeconds:i64',
  Lifecycle: 'postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:Signal',
  LifecycleHandler: 'exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction sleep:SleepAction',
  ExecAction: 'command:[]s',
  HTTPGetAction: 'path:s port:is host:s scheme:URIScheme httpHeaders:[]HTTPHeader',
  HTTPHeader: 'name:s value:s',
  TCPSocketAction: 'port:is host:s',
  GRPCAction: 'port:i32 service:s',
  SleepAction: 'seconds:i64',
  ContainerPort: 'name:s hostPort:i32 containerPort:i32 protocol:Protocol hostIP:s',
  EnvFromSource: 'prefix:s configMapRef:ConfigMapEnvSource secretRef:SecretEnvSource',
  ConfigMapEnvSource: 'name:s optional:b',
  SecretEnvSource: 'name:s optional:b',
  EnvVar: 'name:s value:s valueFrom:EnvVarSource',
  EnvVarSource: 'fieldRef:ObjectFieldSelector configMapKeyRef:ConfigMapKeySelector secretKeyRef:SecretKeySelector',
  ObjectFieldSelector: 'apiVersion:s fieldPath:s',
  ConfigMapKeySelector: 'name:s key:s optional:b',
  SecretKeySelector: 'name:s key:s optional:b',
  ResourceRequirements: 'limits:{}q requests:{}q',
  VolumeMount: 'name:s readOnly:b recursiveReadOnly:RecursiveReadOnlyMode mountPath:s subPath:s subPathExpr:s',
  VolumeDevice: 'name:s devicePath:s',
  SecurityContext: 'runAsUser:i64 runAsGroup:i64 readOnlyRootFilesystem:b',
  Volume:
    'name:s hostPath:HostPathVolumeSource emptyDir:EmptyDirVolumeSource secret:SecretVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource downwardAPI:DownwardAPIVolumeSource configMap:ConfigMapVolumeSource projected:ProjectedVolumeSource csi:CSIVolumeSource ephemeral:EphemeralVolumeSource nfs:NFSVolumeSource',
  EmptyDirVolumeSource: 'medium:StorageMedium sizeLimit:q',
  SecretVolumeSource: 'secretName:s items:[]KeyToPath defaultMode:i32 optional:b',
  ConfigMapVolumeSource: 'name:s items:[]KeyToPath defaultMode:i32 optional:b',
  KeyToPath: 'key:s path:s mode:i32',
  PersistentVolumeClaimVolumeSource: 'claimName:s readOnly:b',
  DownwardAPIVolumeSource: 'items:[]DownwardAPIVolumeFile defaultMode:i32',
  DownwardAPIVolumeFile: 'path:s fieldRef:ObjectFieldSelector mode:i32',
  ProjectedVolumeSource: 'sources:[]VolumeProjection defaultMode:i32',
  VolumeProjection: 'secret:SecretProjection downwardAPI:DownwardAPIProjection configMap:ConfigMapProjection serviceAccountToken:ServiceAccountTokenProjection',
  SecretProjection: 'name:s items:[]KeyToPath optional:b',
  ConfigMapProjection: 'name:s items:[]KeyToPath optional:b',
  DownwardAPIProjection: 'items:[]DownwardAPIVolumeFile',
  ServiceAccountTokenProjection: 'audience:s expirationSeconds:i64 path:s',
  CSIVolumeSource: 'driver:s readOnly:b fsType:s volumeAttributes:{}s',
  EphemeralVolumeSource: 'volumeClaimTemplate:PersistentVolumeClaimTemplate',
  PersistentVolumeClaimTemplate: 'metadata:ObjectMeta spec:PersistentVolumeClaimSpec',
  Affinity: 'nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity',
  NodeAffinity: 'requiredDuringSchedulingIgnoredDuringExecution:NodeSelector preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm',
  PreferredSchedulingTerm: 'weight:i32 preference:NodeSelectorTerm',
  PodAffinity: 'requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm',
  PodAntiAffinity: 'requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm',
  PodAffinityTerm: 'labelSelector:LabelSelector namespaces:[]s topologyKey:s namespaceSelector:LabelSelector',
  Toleration: 'key:s operator:TolerationOperator value:s effect:TaintEffect tolerationSeconds:i64',
  TopologySpreadConstraint: 'maxSkew:i32 topologyKey:s whenUnsatisfiable:UnsatisfiableConstraintAction labelSelector:LabelSelector minDomains:i32 nodeAffinityPolicy:NodeInclusionPolicy nodeTaintsPolicy:NodeInclusionPolicy',
  Node: 'metadata:ObjectMeta spec:NodeSpec',
  NodeSpec: 'taints:[]Taint unschedulable:b podCIDR:s providerID:s',
  Taint: 'key:s value:s effect:TaintEffect',

  Secret: 'metadata:ObjectMeta immutable:b data:{}bytes stringData:{}s type:SecretType',
  ConfigMap: 'metadata:ObjectMeta immutable:b data:{}s',
  PriorityClass: 'metadata:ObjectMeta value:i32 globalDefault:b description:s preemptionPolicy:PreemptionPolicy',
  PodDisruptionBudget: 'metadata:ObjectMeta spec:PodDisruptionBudgetSpec',
  PodDisruptionBudgetSpec: 'minAvailable:is maxUnavailable:is selector:LabelSelector unhealthyPodEvictionPolicy:UnhealthyPodEvictionPolicyType',
  Lease: 'metadata:ObjectMeta spec:LeaseSpec',
  LeaseSpec: 'holderIdentity:s leaseDurationSeconds:i32',
  ControllerRevision: 'metadata:ObjectMeta revision:i64',
  Event: 'metadata:ObjectMeta involvedObject:ObjectReference reason:s message:s type:s count:i32',

  PodTemplateSpec: 'metadata:ObjectMeta spec:PodSpec',
  Deployment: 'metadata:ObjectMeta spec:DeploymentSpec',
  DeploymentSpec: 'replicas:i32 selector:LabelSelector template:PodTemplateSpec strategy:DeploymentStrategy minReadySeconds:i32 revisionHistoryLimit:i32 paused:b progressDeadlineSeconds:i32',
  DeploymentStrategy: 'type:DeploymentStrategyType rollingUpdate:RollingUpdateDeployment',
  RollingUpdateDeployment: 'maxUnavailable:is maxSurge:is',
  ReplicaSet: 'metadata:ObjectMeta spec:ReplicaSetSpec',
  ReplicaSetSpec: 'replicas:i32 minReadySeconds:i32 selector:LabelSelector template:PodTemplateSpec',
  StatefulSet: 'metadata:ObjectMeta spec:StatefulSetSpec',
  StatefulSetSpec:
    'replicas:i32 selector:LabelSelector template:PodTemplateSpec volumeClaimTemplates:[]PersistentVolumeClaim serviceName:s podManagementPolicy:PodManagementPolicyType updateStrategy:StatefulSetUpdateStrategy revisionHistoryLimit:i32 minReadySeconds:i32 persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy',
  StatefulSetUpdateStrategy: 'type:StatefulSetUpdateStrategyType rollingUpdate:RollingUpdateStatefulSetStrategy',
  RollingUpdateStatefulSetStrategy: 'partition:i32 maxUnavailable:is',
  StatefulSetPersistentVolumeClaimRetentionPolicy: 'whenDeleted:PersistentVolumeClaimRetentionPolicyType whenScaled:PersistentVolumeClaimRetentionPolicyType',
} as const;

/**
 * The other fields of these structs: known to the API server, though no rule of ours reads them. A struct that is not
 * named here has no others.
 */
const MORE: Readonly<Record<string, string>> = {
  ObjectMeta: 'selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds managedFields',
  PersistentVolumeSpec:
    'gcePersistentDisk awsElasticBlockStore glusterfs rbd iscsi cinder cephfs fc flocker flexVolume azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos',
  VolumeAttachmentSource: 'inlineVolumeSpec',
  CSIDriverSpec: 'tokenRequests seLinuxMount nodeAllocatableUpdatePeriodSeconds serviceAccountTokenInSecrets',
  CSINodeSpec: 'drivers',
  PodSpec:
    'ephemeralContainers hostNetwork hostPID hostIPC shareProcessNamespace imagePullSecrets hostAliases dnsConfig readinessGates runtimeClassName overhead setHostnameAsFQDN os hostUsers schedulingGates resourceClaims resources hostnameOverride workloadRef',
  PodSecurityContext: 'seLinuxOptions windowsOptions runAsNonRoot supplementalGroupsPolicy sysctls seccompProfile appArmorProfile seLinuxChangePolicy',
  Container: 'resizePolicy restartPolicyRules stdin stdinOnce tty',
  EnvVarSource: 'resourceFieldRef fileKeyRef',
  ResourceRequirements: 'claims',
  VolumeMount: 'mountPropagation',
  SecurityContext: 'capabilities privileged seLinuxOptions windowsOptions runAsNonRoot allowPrivilegeEscalation procMount seccompProfile appArmorProfile',
  Volume: 'gcePersistentDisk awsElasticBlockStore gitRepo iscsi glusterfs rbd flexVolume cinder cephfs flocker fc azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos image',
  DownwardAPIVolumeFile: 'resourceFieldRef',
  VolumeProjection: 'clusterTrustBundle podCertificate',
  CSIVolumeSource: 'nodePublishSecretRef',
  PodAffinity: 'preferredDuringSchedulingIgnoredDuringExecution',
  PodAntiAffinity: 'preferredDuringSchedulingIgnoredDuringExecution',
  PodAffinityTerm: 'matchLabelKeys mismatchLabelKeys',
  TopologySpreadConstraint: 'matchLabelKeys',
  NodeSpec: 'podCIDRs configSource externalID',
  Taint: 'timeAdded',
  ConfigMap: 'binaryData',
  LeaseSpec: 'acquireTime renewTime leaseTransitions strategy preferredHolder',
  ControllerRevision: 'data',
  StatefulSetSpec: 'ordinals',
};

/** Whether the API server knows the field; true for a struct that is not listed at all. */
export function isField(struct: string, name: string): boolean {
  const fields = fieldsOf(struct);
  return fields === undefined || fields.has(name) || (MORE[struct]?.split(' ').includes(name) ?? false) || (fields.has('metadata') && ['apiVersion', 'kind', 'status'].includes(name));
}

/** Fields of a struct by name, each with its type. Undefined for a name that is no struct. */
export function fieldsOf(name: string): ReadonlyMap<string, string> | undefined {
  let fields = read.get(name);
  if (!fields) {
    if (!Object.hasOwn(STRUCTS, name)) return undefined;
    fields = new Map(STRUCTS[name as keyof typeof STRUCTS].split(' ').map((word) => [word.slice(0, word.indexOf(':')), word.slice(word.indexOf(':') + 1)]));
    read.set(name, fields);
  }
  return fields;
}
const read = new Map<string, ReadonlyMap<string, string>>();

/** The type of what a list or a map holds. */
export function innerType(type: string): string {
  let inner = innerTypes.get(type);
  if (inner === undefined) innerTypes.set(type, (inner = type.slice(2)));
  return inner;
}
const innerTypes = new Map<string, string>();

const PLAIN: Readonly<Record<string, string>> = { s: 'string', b: 'bool', i32: 'int32', i64: 'int64', bytes: '[]uint8' };

/** A type as Go names it in an error: `[]v1.Container`, `map[string]string`, `int32`. */
export function goName(type: string): string {
  if (type.startsWith('[]')) return `[]${goName(type.slice(2))}`;
  if (type === '{}q') return 'v1.ResourceList';
  if (type.startsWith('{}')) return `map[string]${goName(type.slice(2))}`;
  return PLAIN[type] ?? (type === 'UID' ? 'types.UID' : `v1.${type}`);
}

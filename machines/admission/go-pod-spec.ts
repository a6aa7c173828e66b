/**
 * A pod's spec as the API server holds it while it checks it (pkg/apis/core/types.go, v1.35), and so as it prints it in a
 * difference: every field of every struct, in order, under its Go name.
 */
import type { PodSpec } from '../model/objects.ts';

/**
 * One `Field:type` a word; `+Struct` is an embedded one. Types: `s` string, `b` bool, `i` number, `q` Quantity, `is`
 * IntOrString, `*`, `[]` and `{}` in front of a type for a pointer, a list and a map by string, the name of a struct, and
 * `json` for a value that is printed as it was sent.
 */
const STRUCTS: Readonly<Record<string, string>> = {
  PodSpec: 'Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]json RestartPolicy:s TerminationGracePeriodSeconds:*i ActiveDeadlineSeconds:*i DNSPolicy:s NodeSelector:{}s ServiceAccountName:s AutomountServiceAccountToken:*b NodeName:s SecurityContext:*PodSecurityContext ImagePullSecrets:[]LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:*b Affinity:*Affinity SchedulerName:s Tolerations:[]Toleration HostAliases:[]HostAlias PriorityClassName:s Priority:*i PreemptionPolicy:*s DNSConfig:*PodDNSConfig ReadinessGates:[]PodReadinessGate RuntimeClassName:*s Overhead:{}q EnableServiceLinks:*b TopologySpreadConstraints:[]TopologySpreadConstraint OS:*PodOS SchedulingGates:[]PodSchedulingGate ResourceClaims:[]json Resources:*ResourceRequirements HostnameOverride:*s WorkloadRef:*json',
  Volume: 'Name:s +VolumeSource',
  Container: 'Name:s Image:s Command:[]s Args:[]s WorkingDir:s Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy RestartPolicy:*s RestartPolicyRules:[]json VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY:b',
  PodSecurityContext: 'HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:*b HostUsers:*b SELinuxOptions:*json WindowsOptions:*json RunAsUser:*i RunAsGroup:*i RunAsNonRoot:*b SupplementalGroups:[]i SupplementalGroupsPolicy:*s FSGroup:*i FSGroupChangePolicy:*s Sysctls:[]Sysctl SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile SELinuxChangePolicy:*s',
  LocalObjectReference: 'Name:s',
  Affinity: 'NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity',
  Toleration: 'Key:s Operator:s Value:s Effect:s TolerationSeconds:*i',
  HostAlias: 'IP:s Hostnames:[]s',
  PodDNSConfig: 'Nameservers:[]s Searches:[]s Options:[]PodDNSConfigOption',
  PodReadinessGate: 'ConditionType:s',
  TopologySpreadConstraint: 'MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:*json MinDomains:*i NodeAffinityPolicy:*s NodeTaintsPolicy:*s MatchLabelKeys:[]s',
  PodOS: 'Name:s',
  PodSchedulingGate: 'Name:s',
  ResourceRequirements: 'Limits:{}q Requests:{}q Claims:[]ResourceClaim',
  VolumeSource: 'HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk:*json AWSElasticBlockStore:*json GitRepo:*json Secret:*SecretVolumeSource NFS:*NFSVolumeSource ISCSI:*json Glusterfs:*json PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD:*json Quobyte:*json FlexVolume:*json Cinder:*json CephFS:*json Flocker:*json DownwardAPI:*DownwardAPIVolumeSource FC:*json AzureFile:*json ConfigMap:*ConfigMapVolumeSource VsphereVolume:*json AzureDisk:*json PhotonPersistentDisk:*json Projected:*ProjectedVolumeSource PortworxVolume:*json ScaleIO:*json StorageOS:*json CSI:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource',
  ContainerPort: 'Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s',
  EnvFromSource: 'Prefix:s ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource',
  EnvVar: 'Name:s Value:s ValueFrom:*EnvVarSource',
  ContainerResizePolicy: 'ResourceName:s RestartPolicy:s',
  VolumeMount: 'Name:s ReadOnly:b RecursiveReadOnly:*s MountPath:s SubPath:s MountPropagation:*s SubPathExpr:s',
  VolumeDevice: 'Name:s DevicePath:s',
  Probe: '+ProbeHandler InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds:*i',
  Lifecycle: 'PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:*s',
  SecurityContext: 'Capabilities:*Capabilities Privileged:*b SELinuxOptions:*json WindowsOptions:*json RunAsUser:*i RunAsGroup:*i RunAsNonRoot:*b ReadOnlyRootFilesystem:*b AllowPrivilegeEscalation:*b ProcMount:*s SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile',
  Sysctl: 'Name:s Value:s',
  SeccompProfile: 'Type:s LocalhostProfile:*s',
  AppArmorProfile: 'Type:s LocalhostProfile:*s',
  NodeAffinity: 'RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm',
  PodAffinity: 'RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm',
  PodAntiAffinity: 'RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm',
  PodDNSConfigOption: 'Name:s Value:*s',
  ResourceClaim: 'Name:s Request:s',
  HostPathVolumeSource: 'Path:s Type:*s',
  EmptyDirVolumeSource: 'Medium:s SizeLimit:*q',
  SecretVolumeSource: 'SecretName:s Items:[]KeyToPath DefaultMode:*i Optional:*b',
  NFSVolumeSource: 'Server:s Path:s ReadOnly:b',
  PersistentVolumeClaimVolumeSource: 'ClaimName:s ReadOnly:b',
  DownwardAPIVolumeSource: 'Items:[]DownwardAPIVolumeFile DefaultMode:*i',
  ConfigMapVolumeSource: '+LocalObjectReference Items:[]KeyToPath DefaultMode:*i Optional:*b',
  ProjectedVolumeSource: 'Sources:[]VolumeProjection DefaultMode:*i',
  CSIVolumeSource: 'Driver:s ReadOnly:*b FSType:*s VolumeAttributes:{}s NodePublishSecretRef:*LocalObjectReference',
  EphemeralVolumeSource: 'VolumeClaimTemplate:*PersistentVolumeClaimTemplate',
  ImageVolumeSource: 'Reference:s PullPolicy:s',
  ConfigMapEnvSource: '+LocalObjectReference Optional:*b',
  SecretEnvSource: '+LocalObjectReference Optional:*b',
  EnvVarSource: 'FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*json',
  ProbeHandler: 'Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction GRPC:*GRPCAction',
  LifecycleHandler: 'Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction Sleep:*SleepAction',
  Capabilities: 'Add:[]s Drop:[]s',
  NodeSelector: 'NodeSelectorTerms:[]NodeSelectorTerm',
  PreferredSchedulingTerm: 'Weight:i Preference:NodeSelectorTerm',
  PodAffinityTerm: 'LabelSelector:*json Namespaces:[]s TopologyKey:s NamespaceSelector:*json MatchLabelKeys:[]s MismatchLabelKeys:[]s',
  WeightedPodAffinityTerm: 'Weight:i PodAffinityTerm:PodAffinityTerm',
  KeyToPath: 'Key:s Path:s Mode:*i',
  DownwardAPIVolumeFile: 'Path:s FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*i',
  VolumeProjection: 'Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*json PodCertificate:*json',
  PersistentVolumeClaimTemplate: '+metadata Spec:PersistentVolumeClaimSpec',
  ObjectFieldSelector: 'APIVersion:s FieldPath:s',
  ResourceFieldSelector: 'ContainerName:s Resource:s Divisor:q',
  ConfigMapKeySelector: '+LocalObjectReference Key:s Optional:*b',
  SecretKeySelector: '+LocalObjectReference Key:s Optional:*b',
  ExecAction: 'Command:[]s',
  HTTPGetAction: 'Path:s Port:is Host:s Scheme:s HTTPHeaders:[]HTTPHeader',
  TCPSocketAction: 'Port:is Host:s',
  GRPCAction: 'Port:i Service:*s',
  SleepAction: 'Seconds:i',
  NodeSelectorTerm: 'MatchExpressions:[]NodeSelectorRequirement MatchFields:[]NodeSelectorRequirement',
  SecretProjection: '+LocalObjectReference Items:[]KeyToPath Optional:*b',
  DownwardAPIProjection: 'Items:[]DownwardAPIVolumeFile',
  ConfigMapProjection: '+LocalObjectReference Items:[]KeyToPath Optional:*b',
  ServiceAccountTokenProjection: 'Audience:s ExpirationSeconds:i Path:s',
  PersistentVolumeClaimSpec: 'AccessModes:[]s Selector:*json Resources:VolumeResourceRequirements VolumeName:s StorageClassName:*s VolumeMode:*s DataSource:*TypedLocalObjectReference DataSourceRef:*TypedObjectReference VolumeAttributesClassName:*s',
  HTTPHeader: 'Name:s Value:s',
  NodeSelectorRequirement: 'Key:s Operator:s Values:[]s',
  VolumeResourceRequirements: 'Limits:{}q Requests:{}q',
  TypedLocalObjectReference: 'APIGroup:*s Kind:s Name:s',
  TypedObjectReference: 'APIGroup:*s Kind:s Name:s Namespace:*s',
};

type Fields = Readonly<Record<string, unknown>>;

/** The spec as Go prints it. @modelled pkg/apis/core/types.go, pkg/apis/core/v1/conversion.go (Convert_v1_PodSpec_To_core_PodSpec), v1.35 */
export function goPodSpec(spec: PodSpec): unknown {
  // The host's namespaces are fields of the security context here, which so is never nil.
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = spec as unknown as Fields;
  return goValue('PodSpec', { ...spec, securityContext: { ...spec.securityContext, hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } });
}

function goValue(type: string, value: unknown): unknown {
  if (type.startsWith('*')) return value === undefined ? null : goValue(type.slice(1), value);
  if (type.startsWith('[]')) return Array.isArray(value) ? value.map((element) => goValue(type.slice(2), element)) : null;
  if (type.startsWith('{}')) return value === undefined ? null : goMap(type.slice(2), value as Fields);
  switch (type) {
    case 's':
      return value ?? '';
    case 'b':
      return value ?? false;
    case 'i':
    case 'is':
      return value ?? 0;
    case 'q':
      return value ?? '0';
    case 'json':
      return value ?? null;
    default:
      return goStruct(type, (value ?? {}) as Fields);
  }
}

function goMap(type: string, value: Fields): unknown {
  const keys = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, goValue(type, value[key])]));
}

/** The API's name of a field is its Go name but for capitals. */
function goStruct(type: string, value: Fields): Fields {
  const given = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
  const fields = (STRUCTS[type] ?? '').split(' ').flatMap((word): [string, unknown][] => {
    if (word === '+metadata') return Object.entries((value['metadata'] ?? {}) as Fields);
    if (word.startsWith('+')) return Object.entries(goStruct(word.slice(1), value));
    const [name = '', fieldType = ''] = word.split(':');
    return [[name, goValue(fieldType, given.get(name.toLowerCase()))]];
  });
  return Object.fromEntries(fields);
}

/**
 * The shapes of the Kubernetes objects that the simulated cluster stores, as the API server serves them (v1.35).
 * Only fields that a rule of ours reads or writes are named; everything else a manifest carries is kept as it is.
 *
 * Objects are values: once stored they are never changed in place. A write makes a new object that shares the parts
 * that stayed the same.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One operation of a JSON patch (RFC 6902). */
export interface JsonOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string | undefined;
  readonly value?: Json | undefined;
}
/** A patch in one of the three forms that the API server takes. */
export type Patch = { readonly type: 'merge' | 'strategic'; readonly merge: Json } | { readonly type: 'json'; readonly operations: readonly JsonOperation[] };

/** String-to-string maps: labels, annotations, CSI parameters. */
export type StringMap = Readonly<Record<string, string>>;

/** An RFC 3339 time with whole seconds, as the API server writes it ("2026-11-30T17:20:47Z"). */
export type Timestamp = string;

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
  readonly blockOwnerDeletion?: boolean | undefined;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly generateName?: string | undefined;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number | undefined;
  readonly creationTimestamp: Timestamp;
  readonly deletionTimestamp?: Timestamp | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly labels?: StringMap | undefined;
  readonly annotations?: StringMap | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
}

export type Kind =
  | 'Event'
  | 'PersistentVolumeClaim'
  | 'PersistentVolume'
  | 'Pod'
  | 'VolumeAttachment'
  | 'StorageClass'
  | 'Node'
  | 'CSINode'
  | 'CSIDriver'
  | 'Secret'
  | 'ConfigMap'
  | 'StatefulSet'
  | 'Deployment'
  | 'ReplicaSet'
  | 'PriorityClass'
  | 'Lease'
  | 'ControllerRevision'
  | 'PodDisruptionBudget';

/** What every stored object has. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: Kind;
  readonly metadata: ObjectMeta;
}

export interface ObjectReference {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly fieldPath?: string | undefined;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly lastProbeTime?: Timestamp | null | undefined;
  readonly lastTransitionTime?: Timestamp | null | undefined;
  readonly lastHeartbeatTime?: Timestamp | undefined;
  readonly lastUpdateTime?: Timestamp | undefined;
}

export type AccessMode = 'ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod';
export type VolumeMode = 'Filesystem' | 'Block';

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[] | undefined;
}
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[] | undefined;
  readonly matchFields?: readonly NodeSelectorRequirement[] | undefined;
}
export interface LabelSelector {
  readonly matchLabels?: StringMap | undefined;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

export interface PersistentVolumeClaimSpec {
  readonly accessModes?: readonly AccessMode[] | undefined;
  readonly resources?: { readonly requests?: { readonly storage?: string | undefined } | undefined } | undefined;
  readonly storageClassName?: string | undefined;
  readonly volumeAttributesClassName?: string | undefined;
  readonly volumeMode?: VolumeMode | undefined;
  readonly volumeName?: string | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly dataSource?: Json | undefined;
  readonly dataSourceRef?: Json | undefined;
}
export interface PersistentVolumeClaim extends KubeObject {
  readonly kind: 'PersistentVolumeClaim';
  readonly spec: PersistentVolumeClaimSpec;
  readonly status: {
    readonly phase: 'Pending' | 'Bound' | 'Lost';
    readonly accessModes?: readonly AccessMode[] | undefined;
    readonly capacity?: { readonly storage: string } | undefined;
    readonly conditions?: readonly Condition[] | undefined;
    readonly allocatedResources?: { readonly storage: string } | undefined;
    readonly allocatedResourceStatuses?: { readonly storage: string } | undefined;
  };
}

export interface CSIVolumeSource {
  readonly driver: string;
  readonly volumeHandle: string;
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeAttributes?: StringMap | undefined;
  readonly nodeStageSecretRef?: SecretReference | undefined;
  readonly nodePublishSecretRef?: SecretReference | undefined;
  readonly controllerPublishSecretRef?: SecretReference | undefined;
  readonly controllerExpandSecretRef?: SecretReference | undefined;
  readonly nodeExpandSecretRef?: SecretReference | undefined;
}
export interface SecretReference {
  readonly name: string;
  readonly namespace: string;
}
export interface PersistentVolume extends KubeObject {
  readonly kind: 'PersistentVolume';
  readonly spec: {
    readonly capacity: { readonly storage: string };
    readonly accessModes: readonly AccessMode[];
    readonly claimRef?: ObjectReference | undefined;
    readonly csi?: CSIVolumeSource | undefined;
    readonly hostPath?: { readonly path: string; readonly type?: string | undefined } | undefined;
    readonly local?: { readonly path: string } | undefined;
    readonly nodeAffinity?:
      | { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } | undefined }
      | undefined;
    readonly persistentVolumeReclaimPolicy?: 'Delete' | 'Retain' | 'Recycle' | undefined;
    readonly storageClassName?: string | undefined;
    readonly volumeAttributesClassName?: string | undefined;
    readonly volumeMode?: VolumeMode | undefined;
    readonly mountOptions?: readonly string[] | undefined;
  };
  readonly status: {
    readonly phase: 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed';
    readonly lastPhaseTransitionTime?: Timestamp | undefined;
    readonly message?: string | undefined;
    readonly reason?: string | undefined;
  };
}

export interface StorageClass extends KubeObject {
  readonly kind: 'StorageClass';
  readonly provisioner: string;
  readonly parameters?: StringMap | undefined;
  readonly reclaimPolicy?: 'Delete' | 'Retain' | undefined;
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer' | undefined;
  readonly allowVolumeExpansion?: boolean | undefined;
  readonly allowedTopologies?:
    | readonly { readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[] }[]
    | undefined;
  readonly mountOptions?: readonly string[] | undefined;
}

export interface Toleration {
  readonly key?: string | undefined;
  readonly operator?: 'Exists' | 'Equal' | undefined;
  readonly value?: string | undefined;
  readonly effect?: string | undefined;
  readonly tolerationSeconds?: number | undefined;
}
export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: Timestamp | undefined;
}

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number | undefined;
}
export interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean | undefined } | undefined;
  readonly secret?:
    | {
        readonly secretName: string;
        readonly items?: readonly KeyToPath[] | undefined;
        readonly optional?: boolean | undefined;
        readonly defaultMode?: number | undefined;
      }
    | undefined;
  readonly configMap?:
    | {
        readonly name: string;
        readonly items?: readonly KeyToPath[] | undefined;
        readonly optional?: boolean | undefined;
        readonly defaultMode?: number | undefined;
      }
    | undefined;
  readonly projected?: { readonly sources: readonly ProjectedSource[]; readonly defaultMode?: number | undefined } | undefined;
  readonly emptyDir?: { readonly medium?: string | undefined; readonly sizeLimit?: string | undefined } | undefined;
  readonly hostPath?: { readonly path: string; readonly type?: string | undefined } | undefined;
  readonly ephemeral?:
    | {
        readonly volumeClaimTemplate: {
          readonly metadata?:
            | { readonly labels?: StringMap | undefined; readonly annotations?: StringMap | undefined }
            | undefined;
          readonly spec: PersistentVolumeClaimSpec;
        };
      }
    | undefined;
  readonly csi?: { readonly driver: string; readonly readOnly?: boolean | undefined; readonly volumeAttributes?: StringMap | undefined } | undefined;
  readonly downwardAPI?: Json | undefined;
}
export interface ProjectedSource {
  readonly secret?: { readonly name: string; readonly items?: readonly KeyToPath[] | undefined; readonly optional?: boolean | undefined } | undefined;
  readonly configMap?: { readonly name: string; readonly items?: readonly KeyToPath[] | undefined; readonly optional?: boolean | undefined } | undefined;
  readonly serviceAccountToken?: { readonly path: string; readonly expirationSeconds?: number | undefined } | undefined;
  readonly downwardAPI?: { readonly items: readonly Json[] } | undefined;
}
export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean | undefined;
  readonly subPath?: string | undefined;
  readonly subPathExpr?: string | undefined;
  readonly recursiveReadOnly?: string | undefined;
}
/** A key of a Secret or ConfigMap that a variable of the environment takes its value from. */
export interface EnvKeySource {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}
/** A request or limit of a container, e.g. `limits.memory`. */
export interface ResourceFieldRef {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}
export interface EnvVar {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: { readonly secretKeyRef?: EnvKeySource; readonly configMapKeyRef?: EnvKeySource; readonly fieldRef?: { readonly apiVersion?: string; readonly fieldPath: string }; readonly resourceFieldRef?: ResourceFieldRef };
}
/** All keys of a Secret or ConfigMap as variables. */
export interface EnvFromSource {
  readonly prefix?: string;
  readonly secretRef?: { readonly name: string; readonly optional?: boolean };
  readonly configMapRef?: { readonly name: string; readonly optional?: boolean };
}
export interface ExecAction {
  readonly command?: readonly string[] | undefined;
}
/** What to do at a moment of a container's life. */
export interface LifecycleHandler {
  readonly exec?: ExecAction | undefined;
  readonly sleep?: { readonly seconds: number } | undefined;
  readonly httpGet?: { readonly [key: string]: Json } | undefined;
  readonly tcpSocket?: { readonly [key: string]: Json } | undefined;
}
/** A question that the kubelet asks a container again and again. Times in seconds. */
export interface Probe {
  readonly exec?: ExecAction | undefined;
  readonly httpGet?: { readonly [key: string]: Json } | undefined;
  readonly tcpSocket?: { readonly [key: string]: Json } | undefined;
  readonly grpc?: { readonly [key: string]: Json } | undefined;
  readonly initialDelaySeconds?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly periodSeconds?: number | undefined;
  readonly successThreshold?: number | undefined;
  readonly failureThreshold?: number | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
}
export const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
export type ProbeField = (typeof PROBES)[number];
export interface Container extends Readonly<Partial<Record<ProbeField, Probe | undefined>>> {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: readonly EnvVar[] | undefined;
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  readonly workingDir?: string | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  readonly volumeDevices?: readonly { readonly name: string; readonly devicePath: string }[] | undefined;
  readonly resources?: { readonly requests?: StringMap | undefined; readonly limits?: StringMap | undefined } | undefined;
  readonly securityContext?: { readonly runAsUser?: number | undefined; readonly runAsGroup?: number | undefined; readonly runAsNonRoot?: boolean | undefined; readonly readOnlyRootFilesystem?: boolean | undefined } | undefined;
  readonly imagePullPolicy?: string | undefined;
  readonly ports?: readonly { readonly containerPort: number; readonly hostPort?: number | undefined; readonly hostIP?: string | undefined; readonly protocol?: string | undefined }[] | undefined;
  /** Only on init containers: `Always` makes a sidecar of one. */
  readonly restartPolicy?: 'Always' | undefined;
  readonly lifecycle?: { readonly postStart?: LifecycleHandler | undefined; readonly preStop?: LifecycleHandler | undefined } | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: string | undefined;
}
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector | undefined;
  readonly topologyKey: string;
  readonly namespaces?: readonly string[] | undefined;
  /** An empty selector means every namespace. */
  readonly namespaceSelector?: LabelSelector | undefined;
}
/** A preference of the scheduler between nodes that fit. */
export interface PreferredNodeTerm {
  readonly weight: number;
  readonly preference: NodeSelectorTerm;
}
export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly labelSelector?: LabelSelector | undefined;
  readonly minDomains?: number | undefined;
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore' | undefined;
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore' | undefined;
}
export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[] | undefined;
  readonly volumes?: readonly Volume[] | undefined;
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: StringMap | undefined;
  readonly affinity?:
    | {
        readonly nodeAffinity?:
          | {
              readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } | undefined;
              readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredNodeTerm[] | undefined;
            }
          | undefined;
        readonly podAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined } | undefined;
        readonly podAntiAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined } | undefined;
      }
    | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never' | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly activeDeadlineSeconds?: number | undefined;
  readonly priority?: number | undefined;
  readonly priorityClassName?: string | undefined;
  readonly preemptionPolicy?: string | undefined;
  readonly schedulerName?: string | undefined;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[] | undefined;
  readonly hostname?: string | undefined;
  readonly subdomain?: string | undefined;
  readonly serviceAccount?: string | undefined;
  readonly serviceAccountName?: string | undefined;
  readonly dnsPolicy?: string | undefined;
  readonly enableServiceLinks?: boolean | undefined;
  readonly securityContext?:
    | {
        readonly runAsUser?: number | undefined;
        readonly runAsGroup?: number | undefined;
        readonly runAsNonRoot?: boolean | undefined;
        readonly fsGroup?: number | undefined;
        readonly fsGroupChangePolicy?: string | undefined;
        readonly supplementalGroups?: readonly number[] | undefined;
      }
    | undefined;
}
export interface ContainerState {
  readonly waiting?: { readonly reason: string; readonly message?: string | undefined } | undefined;
  readonly running?: { readonly startedAt: Timestamp } | undefined;
  readonly terminated?:
    | {
        readonly exitCode: number;
        readonly reason: string;
        readonly message?: string | undefined;
        readonly startedAt?: Timestamp | null | undefined;
        readonly finishedAt?: Timestamp | null | undefined;
        readonly containerID?: string | undefined;
      }
    | undefined;
}
export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string | undefined;
  readonly ready: boolean;
  readonly started?: boolean | undefined;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly resources?: Json | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
}
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';
export interface PodStatus {
  readonly phase: PodPhase;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly conditions?: readonly Condition[] | undefined;
  readonly containerStatuses?: readonly ContainerStatus[] | undefined;
  readonly initContainerStatuses?: readonly ContainerStatus[] | undefined;
  readonly nominatedNodeName?: string | undefined;
  readonly hostIP?: string | undefined;
  readonly hostIPs?: readonly { readonly ip: string }[] | undefined;
  readonly podIP?: string | undefined;
  readonly podIPs?: readonly { readonly ip: string }[] | undefined;
  readonly qosClass?: string | undefined;
  readonly startTime?: Timestamp | undefined;
  readonly observedGeneration?: number | undefined;
}
export interface Pod extends KubeObject {
  readonly kind: 'Pod';
  readonly spec: PodSpec;
  readonly status: PodStatus;
}

/** One volume of node.status.volumesAttached. */
export interface AttachedVolume {
  readonly name: string;
  readonly devicePath: string;
}

export interface Node extends KubeObject {
  readonly kind: 'Node';
  readonly spec: { readonly taints?: readonly Taint[] | undefined; readonly unschedulable?: boolean | undefined; readonly podCIDR?: string | undefined; readonly providerID?: string | undefined };
  readonly status: {
    readonly addresses?: readonly { readonly address: string; readonly type: string }[] | undefined;
    readonly allocatable?: StringMap | undefined;
    readonly capacity?: StringMap | undefined;
    readonly conditions?: readonly Condition[] | undefined;
    readonly nodeInfo?: StringMap | undefined;
    readonly volumesAttached?: readonly AttachedVolume[] | undefined;
    readonly volumesInUse?: readonly string[] | undefined;
  };
}

export interface CSINode extends KubeObject {
  readonly kind: 'CSINode';
  readonly spec: {
    readonly drivers?: readonly {
      readonly name: string;
      readonly nodeID: string;
      readonly topologyKeys?: readonly string[] | null | undefined;
      readonly allocatable?: { readonly count?: number | undefined } | undefined;
    }[] | null | undefined;
  };
}
export interface CSIDriver extends KubeObject {
  readonly kind: 'CSIDriver';
  readonly spec: {
    readonly attachRequired?: boolean | undefined;
    readonly podInfoOnMount?: boolean | undefined;
    readonly fsGroupPolicy?: 'File' | 'None' | 'ReadWriteOnceWithFSType' | undefined;
    readonly volumeLifecycleModes?: readonly string[] | undefined;
    readonly storageCapacity?: boolean | undefined;
    readonly requiresRepublish?: boolean | undefined;
    readonly seLinuxMount?: boolean | undefined;
    readonly nodeAllocatableUpdatePeriodSeconds?: number | undefined;
  };
}
export interface VolumeError {
  readonly errorCode?: number | undefined;
  readonly message: string;
  readonly time: Timestamp;
}
export interface VolumeAttachment extends KubeObject {
  readonly kind: 'VolumeAttachment';
  readonly spec: { readonly attacher: string; readonly nodeName: string; readonly source: { readonly persistentVolumeName: string } };
  readonly status: {
    readonly attached: boolean;
    readonly attachmentMetadata?: StringMap | undefined;
    readonly attachError?: VolumeError | undefined;
    readonly detachError?: VolumeError | undefined;
  };
}

export interface Secret extends KubeObject {
  readonly kind: 'Secret';
  readonly type?: string | undefined;
  /** Plain text values: the recordings redact Secret data, the simulation keeps it readable for the container's shell. */
  readonly data?: StringMap | undefined;
  readonly immutable?: boolean | undefined;
}
export interface ConfigMap extends KubeObject {
  readonly kind: 'ConfigMap';
  readonly data?: StringMap | undefined;
  readonly immutable?: boolean | undefined;
}
export interface PodTemplate {
  readonly metadata?: { readonly labels?: StringMap | undefined; readonly annotations?: StringMap | undefined } | undefined;
  readonly spec: PodSpec;
}
export interface StatefulSet extends KubeObject {
  readonly kind: 'StatefulSet';
  readonly spec: {
    readonly replicas?: number | undefined;
    readonly serviceName?: string | undefined;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly podManagementPolicy?: string | undefined;
    /** The number of the first pod. */
    readonly ordinals?: { readonly start?: number | undefined } | undefined;
    readonly revisionHistoryLimit?: number | undefined;
    readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: 'Retain' | 'Delete' | undefined; readonly whenScaled?: 'Retain' | 'Delete' | undefined } | undefined;
    readonly updateStrategy?: { readonly type?: 'RollingUpdate' | 'OnDelete' | undefined; readonly rollingUpdate?: { readonly partition?: number | undefined; readonly maxUnavailable?: number | string | undefined } | undefined } | undefined;
    readonly minReadySeconds?: number | undefined;
    readonly volumeClaimTemplates?: readonly { readonly apiVersion?: string | undefined; readonly kind?: string | undefined; readonly status?: Json | undefined; readonly metadata: { readonly name: string; readonly labels?: StringMap | undefined; readonly annotations?: StringMap | undefined }; readonly spec: PersistentVolumeClaimSpec }[] | undefined;
  };
  readonly status: Readonly<Record<string, Json | undefined>>;
}
export interface Deployment extends KubeObject {
  readonly kind: 'Deployment';
  readonly spec: {
    readonly replicas?: number | undefined;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly strategy?: { readonly type?: 'RollingUpdate' | 'Recreate' | undefined; readonly rollingUpdate?: { readonly maxSurge?: number | string | undefined; readonly maxUnavailable?: number | string | undefined } | null | undefined } | undefined;
    readonly progressDeadlineSeconds?: number | undefined;
    readonly minReadySeconds?: number | undefined;
    readonly paused?: boolean | undefined;
    readonly revisionHistoryLimit?: number | undefined;
  };
  readonly status: Readonly<Record<string, Json | undefined>>;
}
export interface ReplicaSet extends KubeObject {
  readonly kind: 'ReplicaSet';
  readonly spec: { readonly replicas?: number | undefined; readonly minReadySeconds?: number | undefined; readonly selector: LabelSelector; readonly template: PodTemplate };
  readonly status: Readonly<Record<string, Json | undefined>>;
}
export interface PriorityClass extends KubeObject {
  readonly kind: 'PriorityClass';
  readonly value: number;
  readonly globalDefault?: boolean | undefined;
}

/** A node's heartbeat. */
export interface Lease extends KubeObject {
  readonly kind: 'Lease';
  readonly spec: { readonly holderIdentity: string; readonly leaseDurationSeconds: number; readonly renewTime: string };
}
/** One template of a StatefulSet, kept so that pods of an old revision can be made again. */
export interface ControllerRevision extends KubeObject {
  readonly kind: 'ControllerRevision';
  readonly data: { readonly template: PodTemplate };
  readonly revision: number;
}

/** How many of the pods that it selects may be away at a time. */
export interface PodDisruptionBudget extends KubeObject {
  readonly kind: 'PodDisruptionBudget';
  readonly spec: {
    readonly minAvailable?: number | string | undefined;
    readonly maxUnavailable?: number | string | undefined;
    /** An empty one selects every pod of the namespace, none at all selects nothing. */
    readonly selector?: LabelSelector | undefined;
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow' | undefined;
  };
  readonly status: {
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly disruptionsAllowed: number;
    readonly expectedPods: number;
    readonly observedGeneration?: number | undefined;
    /** Pods whose eviction was granted and that are not gone yet, by name, with the time. */
    readonly disruptedPods?: Readonly<Record<string, Timestamp>> | undefined;
    readonly conditions?: readonly Condition[] | undefined;
  };
}

/** core/v1 Event, as a watch shows it; the scheduler's events.k8s.io/v1 events arrive in this shape too. */
export interface KubeEvent extends KubeObject {
  readonly kind: 'Event';
  readonly involvedObject: ObjectReference;
  readonly related?: ObjectReference | undefined;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly action?: string | undefined;
  readonly count?: number | undefined;
  readonly series?: { readonly count: number; readonly lastObservedTime: string } | undefined;
  readonly eventTime: string | null;
  readonly firstTimestamp: Timestamp | null;
  readonly lastTimestamp: Timestamp | null;
  readonly reportingComponent: string;
  readonly reportingInstance: string;
  readonly source: { readonly component?: string | undefined; readonly host?: string | undefined };
}

export interface KindMap {
  Event: KubeEvent;
  PersistentVolumeClaim: PersistentVolumeClaim;
  PersistentVolume: PersistentVolume;
  Pod: Pod;
  VolumeAttachment: VolumeAttachment;
  StorageClass: StorageClass;
  Node: Node;
  CSINode: CSINode;
  CSIDriver: CSIDriver;
  Secret: Secret;
  ConfigMap: ConfigMap;
  StatefulSet: StatefulSet;
  Deployment: Deployment;
  ReplicaSet: ReplicaSet;
  PriorityClass: PriorityClass;
  Lease: Lease;
  ControllerRevision: ControllerRevision;
  PodDisruptionBudget: PodDisruptionBudget;
}
/** Any object of the store. */
export type AnyObject = KindMap[Kind];

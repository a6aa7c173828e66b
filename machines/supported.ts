/**
 * What the simulated cluster supports: the verbs of a scenario, the kinds that its API server serves, and per kind the
 * manifest fields that a rule reads or that a real cluster, too, would only store. A field that stands in none of these
 * lists is stored but has no effect here; the validator names it.
 */
import { pullPolicyOf } from './admission/pod-defaults.ts';
import { PROBES } from './model/objects.ts';
import { isOnNodes } from './process/node-images.ts';
import { KINDS_BY_HAND } from './run/kinds-by-hand.ts';
import type { Verb } from './trace/scenario.ts';

const VERBS: readonly Verb[] = ['apply', 'delete', 'patch', 'wait', 'settle', 'run', 'exec', 'node'];

/** Of every object. */
const OBJECT = ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace', 'metadata.labels.*', 'metadata.annotations.*', 'metadata.finalizers', 'metadata.ownerReferences.*'];

const CLAIM_SPEC = [
  'accessModes', 'resources.requests.storage', 'storageClassName', 'volumeMode', 'volumeName',
  'selector.*', 'volumeAttributesClassName', 'dataSource.*', 'dataSourceRef.apiGroup', 'dataSourceRef.kind', 'dataSourceRef.name',
];

const CONTAINER = [
  'name', 'image', 'imagePullPolicy', 'command', 'args', 'workingDir', 'env.*', 'envFrom.*', 'ports.*', 'resources.requests.*', 'resources.limits.*',
  'volumeMounts.name', 'volumeMounts.mountPath', 'volumeMounts.readOnly', 'volumeMounts.subPath', 'volumeMounts.subPathExpr', 'volumeDevices.*',
  'securityContext.runAsUser', 'securityContext.runAsGroup', 'securityContext.runAsNonRoot', 'securityContext.readOnlyRootFilesystem', 'restartPolicy',
  'terminationMessagePath', 'terminationMessagePolicy',
  ...['preStop', 'postStart'].flatMap((hook) => [`lifecycle.${hook}.exec.command`, `lifecycle.${hook}.sleep.seconds`]),
  ...PROBES.flatMap((probe) => ['exec.command', 'initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold', 'terminationGracePeriodSeconds'].map((field) => `${probe}.${field}`)),
];

const POD_SPEC = [
  ...under('containers', CONTAINER),
  ...under('initContainers', CONTAINER),
  ...under('volumes', [
    'name', 'persistentVolumeClaim.claimName', 'persistentVolumeClaim.readOnly', 'secret.*', 'configMap.*', 'downwardAPI.*', 'emptyDir', 'emptyDir.medium', 'emptyDir.sizeLimit', 'hostPath.*',
    'projected.defaultMode', 'projected.sources.secret.*', 'projected.sources.configMap.*', 'projected.sources.serviceAccountToken.*', 'projected.sources.downwardAPI.*',
    'csi.driver', 'csi.readOnly', 'csi.volumeAttributes.*', 'ephemeral.volumeClaimTemplate.metadata.*',
    ...under('ephemeral.volumeClaimTemplate.spec', CLAIM_SPEC),
  ]),
  'nodeName', 'nodeSelector.*', 'tolerations.*', 'topologySpreadConstraints.*',
  'affinity.nodeAffinity.*',
  'affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution.*',
  'affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.*',
  'restartPolicy', 'terminationGracePeriodSeconds', 'activeDeadlineSeconds', 'priority', 'priorityClassName', 'preemptionPolicy', 'schedulerName',
  'hostname', 'subdomain', 'automountServiceAccountToken', 'serviceAccount', 'serviceAccountName', 'dnsPolicy', 'enableServiceLinks',
  'securityContext', 'securityContext.runAsUser', 'securityContext.runAsGroup', 'securityContext.runAsNonRoot', 'securityContext.fsGroup', 'securityContext.fsGroupChangePolicy', 'securityContext.supplementalGroups',
];

const TEMPLATE = under('spec.template', ['metadata.labels.*', 'metadata.annotations.*', ...under('spec', POD_SPEC)]);
const REPLICAS = ['spec.replicas', 'spec.selector.*', 'spec.minReadySeconds', 'spec.revisionHistoryLimit'];

/** Kinds that a manifest may apply; the others are the cluster's own. */
const FIELDS: Readonly<Record<(typeof KINDS_BY_HAND)[number], readonly string[]>> = {
  PersistentVolumeClaim: under('spec', CLAIM_SPEC),
  PersistentVolume: under('spec', [
    'capacity.storage', 'accessModes', 'persistentVolumeReclaimPolicy', 'storageClassName', 'volumeMode', 'mountOptions', 'volumeAttributesClassName',
    'claimRef.*', 'nodeAffinity.required.*', 'csi.driver', 'csi.volumeHandle', 'csi.fsType', 'csi.readOnly', 'csi.volumeAttributes.*',
    'csi.nodeStageSecretRef.*', 'csi.nodePublishSecretRef.*', 'csi.controllerExpandSecretRef.*', 'hostPath.*', 'local.path',
  ]),
  StorageClass: ['provisioner', 'parameters.*', 'reclaimPolicy', 'volumeBindingMode', 'allowVolumeExpansion', 'allowedTopologies.*', 'mountOptions'],
  Pod: under('spec', POD_SPEC),
  Secret: ['type', 'data.*', 'stringData.*', 'immutable'],
  ConfigMap: ['data.*', 'immutable'],
  PriorityClass: ['value', 'globalDefault', 'description', 'preemptionPolicy'],
  Deployment: [...REPLICAS, ...TEMPLATE, 'spec.strategy.type', 'spec.strategy.rollingUpdate.*', 'spec.progressDeadlineSeconds'],
  ReplicaSet: [...REPLICAS, ...TEMPLATE],
  StatefulSet: [
    ...REPLICAS, ...TEMPLATE, 'spec.serviceName', 'spec.podManagementPolicy', 'spec.ordinals.start', 'spec.updateStrategy.type', 'spec.updateStrategy.rollingUpdate.partition',
    'spec.persistentVolumeClaimRetentionPolicy.*',
    'spec.volumeClaimTemplates.apiVersion', 'spec.volumeClaimTemplates.kind',
    ...under('spec.volumeClaimTemplates.metadata', ['name', 'labels.*', 'annotations.*']),
    ...under('spec.volumeClaimTemplates.spec', CLAIM_SPEC),
  ],
  VolumeAttachment: ['spec.attacher', 'spec.nodeName', 'spec.source.persistentVolumeName'],
  PodDisruptionBudget: ['spec.minAvailable', 'spec.maxUnavailable', 'spec.selector.*', 'spec.unhealthyPodEvictionPolicy'],
  CSIDriver: ['spec.attachRequired', 'spec.fsGroupPolicy', 'spec.volumeLifecycleModes', 'spec.storageCapacity', 'spec.podInfoOnMount', 'spec.requiresRepublish', 'spec.seLinuxMount'],
};

/** Values of supported fields that no rule answers: a recycler's pod runs an image that is not on the nodes. */
const VALUES_LEFT_OUT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  PersistentVolume: { 'spec.persistentVolumeReclaimPolicy': ['Recycle'] },
};

/** Why what happens to a container of this image is not what a real cluster would do; undefined when it is. */
function imageLeftOut(image: string, policy: string = pullPolicyOf(image)): string | undefined {
  if (policy === 'Never') return undefined;
  if (!isOnNodes(image)) return 'it is not on the nodes, and its pull fails: there is no registry';
  return policy === 'Always' ? 'imagePullPolicy Always: it is not pulled anew, but taken as it is on the nodes' : undefined;
}

/** The support table: a dotted path, lists left out; `.*` covers all below it. */
export const supported = {
  verbs: new Set<string>(VERBS),
  kinds: new Set<string>(KINDS_BY_HAND),
  valuesLeftOut: VALUES_LEFT_OUT,
  imageLeftOut,
  fields: Object.fromEntries(Object.entries(FIELDS).map(([kind, fields]) => [kind, new Set([...OBJECT, ...fields])])),
} as const;

function under(prefix: string, paths: readonly string[]): string[] {
  return paths.map((path) => `${prefix}.${path}`);
}

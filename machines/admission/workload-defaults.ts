/** What the API server adds to a new Deployment, ReplicaSet or StatefulSet (pkg/apis/apps/v1/defaults.go, v1.35). */
import { withMeta } from '../kernel/api-server.ts';
import type { Deployment, PodTemplate, ReplicaSet, StatefulSet } from '../model/objects.ts';
import { templateSpecDefaults } from './pod-defaults.ts';

/** @recorded #rolling-update */
export function completeDeployment(deployment: Deployment): Deployment {
  return {
    ...withMeta(deployment, { generation: 1 }),
    spec: deploymentSpecDefaults(deployment.spec),
    status: {},
  };
}

/** Defaults of the spec alone: a write goes through them too, e.g. one that changes the strategy. */
export function deploymentSpecDefaults(spec: Deployment['spec']): Deployment['spec'] {
  return {
    ...spec,
    progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
    replicas: spec.replicas ?? 1,
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    strategy: strategyDefaults(spec.strategy),
    template: templateDefaults(spec.template),
  };
}

function strategyDefaults(strategy: Deployment['spec']['strategy']): NonNullable<Deployment['spec']['strategy']> {
  const type = strategy?.type ?? 'RollingUpdate';
  if (type !== 'RollingUpdate') return { ...strategy, type };
  return { rollingUpdate: { maxSurge: strategy?.rollingUpdate?.maxSurge ?? '25%', maxUnavailable: strategy?.rollingUpdate?.maxUnavailable ?? '25%' }, type };
}

/** @recorded #rolling-update */
export function completeReplicaSet(set: ReplicaSet): ReplicaSet {
  return {
    ...withMeta(set, { generation: 1 }),
    spec: { ...set.spec, replicas: set.spec.replicas ?? 1, template: templateDefaults(set.spec.template) },
    status: { replicas: 0 },
  };
}

/** @recorded #statefulset-templates */
export function completeStatefulSet(set: StatefulSet): StatefulSet {
  return { ...withMeta(set, { generation: 1 }), spec: statefulSetSpecDefaults(set.spec), status: { availableReplicas: 0, replicas: 0 } };
}

export function statefulSetSpecDefaults(spec: StatefulSet['spec']): StatefulSet['spec'] {
  return {
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    revisionHistoryLimit: 10,
    ...spec,
    podManagementPolicy: spec.podManagementPolicy ?? 'OrderedReady',
    replicas: spec.replicas ?? 1,
    template: templateDefaults(spec.template),
    updateStrategy: updateStrategyDefaults(spec.updateStrategy),
    ...(spec.volumeClaimTemplates ? { volumeClaimTemplates: spec.volumeClaimTemplates.map(claimTemplateDefaults) } : {}),
  };
}

function updateStrategyDefaults(strategy: StatefulSet['spec']['updateStrategy']): NonNullable<StatefulSet['spec']['updateStrategy']> {
  const type = strategy?.type ?? 'RollingUpdate';
  return type === 'RollingUpdate' ? { rollingUpdate: { partition: strategy?.rollingUpdate?.partition ?? 0, ...strategy?.rollingUpdate }, type } : { ...strategy, type };
}

type ClaimTemplate = NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number];
/** A template may be empty: only the claims made of it are refused. */
function claimTemplateDefaults({ metadata = { name: '' }, spec = {} }: Partial<ClaimTemplate>): ClaimTemplate {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: { ...spec, volumeMode: spec.volumeMode ?? 'Filesystem' }, status: { phase: 'Pending' } };
}

function templateDefaults(template: PodTemplate): PodTemplate {
  return { ...template, metadata: template.metadata ?? {}, spec: templateSpecDefaults(template.spec) };
}

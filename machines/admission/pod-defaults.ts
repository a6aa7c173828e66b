/** What the API server adds to a new pod and to the pod template of a workload (ref 1; refinements 1). */
import { withMeta } from '../kernel/api-server.ts';
import type { World } from '../kernel/world.ts';
import type { Container, Json, Pod, PodSpec, PriorityClass, Probe, Toleration, Volume, VolumeMount } from '../model/objects.ts';
import { appended } from '../model/values.ts';
import { forbidden } from './field-errors.ts';
import { qosClassOf } from './qos.ts';

const DEFAULT_MODE = 0o644;
const TOKEN_MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_VOLUME_PREFIX = 'kube-api-access-';
const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const TOPOLOGY_LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** The classes that every cluster has (pkg/apis/scheduling/types.go, v1.35). */
const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/**
 * A new pod as it is stored: schema defaults, then the admission plugins ServiceAccount, Priority,
 * DefaultTolerationSeconds and PodTopologyLabels. Throws ApiError Forbidden for a priority class that does not exist.
 * @recorded #immediate-happy, #missing-secret, #rwop-preemption, #node-down
 */
export function completePod(world: World, pod: Pod): Pod {
  const spec = withPriority(world, pod, withDefaultTolerations(withServiceAccount(world, { enableServiceLinks: true, ...withRequestsOfLimits(templateSpecDefaults(pod.spec)) })));
  const stored: Pod = { ...pod, metadata: { ...pod.metadata, generation: 1 }, spec, status: { phase: 'Pending', qosClass: qosClassOf(spec) } };
  return withTopologyLabels(world, stored);
}

/**
 * The defaults that pods and pod templates share (pkg/apis/core/v1/defaults.go, v1.35: SetDefaults_PodSpec,
 * SetDefaults_Container, SetDefaults_Volume).
 * @recorded #rolling-update, #statefulset-templates, #configmap-key-missing, #ephemeral-volume
 */
export function templateSpecDefaults(spec: PodSpec): PodSpec {
  const serviceAccount = spec.serviceAccountName ?? spec.serviceAccount;
  return {
    ...spec,
    containers: spec.containers.map(containerDefaults),
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(containerDefaults) } : {}),
    ...(spec.volumes ? { volumes: spec.volumes.map(volumeDefaults) } : {}),
    ...(serviceAccount === undefined ? {} : { serviceAccount, serviceAccountName: serviceAccount }),
    dnsPolicy: spec.dnsPolicy ?? 'ClusterFirst',
    restartPolicy: spec.restartPolicy ?? 'Always',
    schedulerName: spec.schedulerName ?? 'default-scheduler',
    securityContext: spec.securityContext ?? {},
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
  };
}

function containerDefaults(container: Container): Container {
  const { env, ports } = container;
  return {
    ...container,
    ...(env ? { env: env.map((variable) => (variable.valueFrom ? { ...variable, valueFrom: withFieldDefaults(variable.valueFrom) } : variable)) } : {}),
    ...(ports ? { ports: ports.map((port) => ({ protocol: 'TCP', ...port })) } : {}),
    imagePullPolicy: container.imagePullPolicy ?? pullPolicyOf(container.image),
    resources: container.resources ?? {},
    terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy ?? 'File',
    ...handlerDefaults(container),
  };
}

const NO_HANDLERS: Partial<Container> = {};

/** Most containers have neither hooks nor probes. @modelled pkg/apis/core/v1/defaults.go (SetDefaults_Probe, SetDefaults_HTTPGetAction), v1.35 */
function handlerDefaults({ lifecycle, livenessProbe, readinessProbe, startupProbe }: Container): Partial<Container> {
  if (!lifecycle && !livenessProbe && !readinessProbe && !startupProbe) return NO_HANDLERS;
  const { postStart, preStop } = lifecycle ?? {};
  return {
    ...(lifecycle ? { lifecycle: { ...lifecycle, ...(postStart ? { postStart: withHttpDefaults(postStart) } : {}), ...(preStop ? { preStop: withHttpDefaults(preStop) } : {}) } } : {}),
    ...(livenessProbe ? { livenessProbe: probeDefaults(livenessProbe) } : {}),
    ...(readinessProbe ? { readinessProbe: probeDefaults(readinessProbe) } : {}),
    ...(startupProbe ? { startupProbe: probeDefaults(startupProbe) } : {}),
  };
}

function probeDefaults(probe: Probe): Probe {
  const { grpc } = probe;
  return {
    ...withHttpDefaults(probe),
    ...(grpc ? { grpc: { service: '', ...grpc } } : {}),
    failureThreshold: probe.failureThreshold || 3,
    periodSeconds: probe.periodSeconds || 10,
    successThreshold: probe.successThreshold || 1,
    timeoutSeconds: probe.timeoutSeconds || 1,
  };
}

function withHttpDefaults<T extends Pick<Probe, 'httpGet'>>(handler: T): T {
  return handler.httpGet ? { ...handler, httpGet: { path: '/', scheme: 'HTTP', ...handler.httpGet } } : handler;
}

/** Whatever names a field of the pod, or a container's resource, in its full form (SetDefaults_ObjectFieldSelector; a quantity that is not given is 0). @modelled ref 1 */
function withFieldDefaults<T extends { readonly fieldRef?: object | undefined; readonly resourceFieldRef?: object | undefined }>(source: T): T {
  const { fieldRef, resourceFieldRef } = source;
  if (fieldRef) return { ...source, fieldRef: { apiVersion: 'v1', ...fieldRef } };
  return resourceFieldRef ? { ...source, resourceFieldRef: { divisor: '0', ...resourceFieldRef } } : source;
}

function itemsWithDefaults(items: readonly Json[]): Json[] {
  return items.map((item) => withFieldDefaults(item as { readonly fieldRef?: { readonly [key: string]: Json } }) as Json);
}

/**
 * Always for `:latest` or no tag, else IfNotPresent; a digest alone counts as a tag
 * (pkg/apis/core/v1/defaults.go SetDefaults_Container, pkg/util/parsers, v1.35).
 * @modelled ref 1
 */
export function pullPolicyOf(image: string | undefined): string {
  const [name = '', digest] = (image ?? '').split('@');
  const tag = /:([^/:]+)$/.exec(name)?.[1] ?? (digest === undefined ? 'latest' : undefined);
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const VOLUME_SOURCES = ['persistentVolumeClaim', 'secret', 'configMap', 'projected', 'emptyDir', 'hostPath', 'ephemeral', 'csi', 'downwardAPI'] as const;

/** A volume without source is an emptyDir; file modes are 0644; a template claim is a Filesystem. */
function volumeDefaults(volume: Volume): Volume {
  const { secret, configMap, projected, hostPath, ephemeral } = volume;
  if (secret) return { ...volume, secret: { defaultMode: DEFAULT_MODE, ...secret } };
  if (configMap) return { ...volume, configMap: { defaultMode: DEFAULT_MODE, ...configMap } };
  if (projected) return { ...volume, projected: { defaultMode: DEFAULT_MODE, ...projected, sources: (projected.sources ?? []).map(sourceDefaults) } };
  if (hostPath) return { ...volume, hostPath: { type: '', ...hostPath } };
  if (ephemeral?.volumeClaimTemplate?.spec) {
    const { metadata, spec } = ephemeral.volumeClaimTemplate;
    return { ...volume, ephemeral: { volumeClaimTemplate: { metadata: metadata ?? {}, spec: { ...spec, volumeMode: spec.volumeMode ?? 'Filesystem' } } } };
  }
  if (volume.downwardAPI !== undefined && volume.downwardAPI !== null && typeof volume.downwardAPI === 'object' && !Array.isArray(volume.downwardAPI)) {
    const { items } = volume.downwardAPI;
    return { ...volume, downwardAPI: { defaultMode: DEFAULT_MODE, ...volume.downwardAPI, ...(Array.isArray(items) ? { items: itemsWithDefaults(items) } : {}) } };
  }
  return hasSource(volume) ? volume : { ...volume, emptyDir: {} };
}

/** True for a volume with any source at all, also one that no rule of ours knows. */
function hasSource(volume: Volume): boolean {
  return VOLUME_SOURCES.some((source) => volume[source] !== undefined) || Object.keys(volume).some((key) => key !== 'name');
}

type Source = NonNullable<Volume['projected']>['sources'][number];
function sourceDefaults(source: Source): Source {
  if (source.downwardAPI?.items) return { ...source, downwardAPI: { ...source.downwardAPI, items: itemsWithDefaults(source.downwardAPI.items) } };
  if (!source.serviceAccountToken) return source;
  return { ...source, serviceAccountToken: { ...source.serviceAccountToken, expirationSeconds: source.serviceAccountToken.expirationSeconds ?? 3600 } };
}

/** Pods only: a limit without request is the request too (SetDefaults_Pod, v1.35). */
function withRequestsOfLimits(spec: PodSpec): PodSpec {
  const complete = (container: Container): Container => {
    const limits = container.resources?.limits;
    return limits ? { ...container, resources: { ...container.resources, requests: { ...limits, ...container.resources?.requests } } } : container;
  };
  return { ...spec, containers: spec.containers.map(complete), ...(spec.initContainers ? { initContainers: spec.initContainers.map(complete) } : {}) };
}

/**
 * ServiceAccount admission: account `default`, and its token as a projected volume in every container that has nothing
 * mounted at that path (plugin/pkg/admission/serviceaccount/admission.go, v1.35).
 */
function withServiceAccount(world: World, spec: PodSpec): PodSpec {
  const account = spec.serviceAccountName ?? 'default';
  const named = { ...spec, serviceAccount: account, serviceAccountName: account };
  if ((spec as { automountServiceAccountToken?: boolean }).automountServiceAccountToken === false) return named;
  const name = `${TOKEN_VOLUME_PREFIX}${world.random.suffix()}`;
  const mount: VolumeMount = { mountPath: TOKEN_MOUNT_PATH, name, readOnly: true };
  const containers = spec.containers.map((c) => withTokenMount(c, mount));
  const initContainers = spec.initContainers?.map((c) => withTokenMount(c, mount));
  const used = [...containers, ...(initContainers ?? [])].some((c) => c.volumeMounts?.includes(mount));
  if (!used) return named;
  return { ...named, containers, ...(initContainers ? { initContainers } : {}), volumes: appended(spec.volumes ?? [], { name, projected: TOKEN_SOURCES }) };
}

function withTokenMount(container: Container, mount: VolumeMount): Container {
  const mounts = container.volumeMounts ?? [];
  return mounts.some((m) => m.mountPath === TOKEN_MOUNT_PATH) ? container : { ...container, volumeMounts: appended(mounts, mount) };
}

/** The same for every pod: one value that all of them share. */
const TOKEN_SOURCES: NonNullable<Volume['projected']> = {
  defaultMode: DEFAULT_MODE,
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
    { downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }] } },
  ],
};

/**
 * Priority admission: the value of the named class, or of the global default (plugin/pkg/admission/priority, v1.35).
 * @recorded #rwop-preemption
 */
function withPriority(world: World, pod: Pod, spec: PodSpec): PodSpec {
  const name = spec.priorityClassName ?? globalDefault(world)?.metadata.name;
  if (name === undefined || name === '') return { ...spec, preemptionPolicy: spec.preemptionPolicy ?? 'PreemptLowerPriority', priority: 0 };
  const priorityClass = world.api.get('PriorityClass', undefined, name);
  const priority = priorityClass?.value ?? SYSTEM_PRIORITIES[name];
  if (priority === undefined) throw forbidden(pod, `no PriorityClass with name ${name} was found`);
  const preemptionPolicy = (priorityClass as { preemptionPolicy?: string } | undefined)?.preemptionPolicy ?? 'PreemptLowerPriority';
  return { ...spec, preemptionPolicy: spec.preemptionPolicy ?? preemptionPolicy, priority, priorityClassName: name };
}

/** The class that is marked globalDefault; the lowest value where several are (priority/admission.go getDefaultPriorityClass). */
function globalDefault(world: World): PriorityClass | undefined {
  let found: PriorityClass | undefined;
  for (const candidate of world.api.list('PriorityClass')) {
    if (candidate.globalDefault && (found === undefined || candidate.value < found.value)) found = candidate;
  }
  return found;
}

/**
 * DefaultTolerationSeconds: 300 s of not-ready and of unreachable, unless the pod tolerates that NoExecute taint already
 * (plugin/pkg/admission/defaulttolerationseconds, v1.35; ref 1).
 * @recorded #immediate-happy, #node-down
 */
function withDefaultTolerations(spec: PodSpec): PodSpec {
  const own = spec.tolerations ?? [];
  const added = own.length === 0 ? DEFAULT_TOLERATIONS : DEFAULT_TOLERATIONS.filter(({ key }) => !own.some((t) => coversNoExecute(t, key)));
  if (added.length === 0) return spec;
  return { ...spec, tolerations: own.length === 0 ? added : [...own, ...added] };
}

const DEFAULT_TOLERATIONS = [NOT_READY, UNREACHABLE].map((key) => ({ effect: 'NoExecute', key, operator: 'Exists', tolerationSeconds: 300 }) as const satisfies Toleration);

function coversNoExecute(toleration: Toleration, key: string): boolean {
  return (toleration.key === undefined || toleration.key === '' || toleration.key === key) && (toleration.effect === undefined || toleration.effect === '' || toleration.effect === 'NoExecute');
}

/**
 * PodTopologyLabels: a pod created with a node name gets the node's zone and region labels at once; for all others the
 * scheduler's binding brings them (refinements 1).
 * @modelled ref 1
 */
export function withTopologyLabels(world: World, pod: Pod): Pod {
  if (pod.spec.nodeName === undefined) return pod;
  const node = world.api.get('Node', undefined, pod.spec.nodeName);
  let labels: Record<string, string> | undefined;
  for (const key of TOPOLOGY_LABELS) {
    const value = node?.metadata.labels?.[key];
    if (value !== undefined) (labels ??= { ...pod.metadata.labels })[key] = value;
  }
  return labels === undefined ? pod : withMeta(pod, { labels });
}

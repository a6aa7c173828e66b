/** What is refused of a pod (ValidatePodCreate and ValidatePodUpdate, pkg/apis/core/validation/validation.go, v1.35; ref 1). */
import type { Container, Pod, PodSpec, Volume } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { bytesOf } from '../model/quantity.ts';
import { FieldErrors } from './field-errors.ts';
import { checkHandlers, forbidHandlers } from './validate-handlers.ts';
import { goDiff } from './go-diff.ts';
import { goPodSpec } from './go-pod-spec.ts';
import { checkLabel, checkMeta } from './names.ts';
import { checkClaimSpec } from './validate-claim.ts';
import { checkHostPathType } from './validate-volume.ts';

/** Throws ApiError for a new pod that is not valid. @modelled ref 1 */
export function validatePod(pod: Pod): void {
  const errors = new FieldErrors();
  checkMeta(errors, pod);
  checkPodSpec(errors, pod.spec, 'spec');
  errors.throwFor(pod);
}

/** ValidatePodSpec, the part that volumes and containers need. */
export function checkPodSpec(errors: FieldErrors, spec: PodSpec, path: string): void {
  checkVolumes(errors, spec.volumes ?? [], `${path}.volumes`);
  checkContainers(errors, spec, spec.containers ?? [], `${path}.containers`, new Set());
  const names = new Set((spec.containers ?? []).map((container) => container.name));
  if (spec.initContainers) checkContainers(errors, spec, spec.initContainers, `${path}.initContainers`, names);
  if (spec.restartPolicy !== undefined && !['Always', 'OnFailure', 'Never'].includes(spec.restartPolicy)) errors.notSupported(`${path}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']);
  checkRange(errors, `${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 1);
}

const MOST_SECONDS = 2 ** 31 - 1;

function checkRange(errors: FieldErrors, field: string, value: number | undefined, least: number): void {
  if (value !== undefined && (value < least || value > MOST_SECONDS)) errors.invalid(field, value, `must be between ${least} and ${MOST_SECONDS}, inclusive`);
}

/** Sources in the order in which the validation looks for a second one. */
const SOURCES = ['emptyDir', 'hostPath', 'nfs', 'secret', 'persistentVolumeClaim', 'downwardAPI', 'configMap', 'projected', 'csi', 'ephemeral'] as const;

function checkVolumes(errors: FieldErrors, volumes: readonly Volume[], path: string): void {
  const seen = new Set<string>();
  for (const [i, volume] of volumes.entries()) {
    const at = `${path}[${i}]`;
    checkVolumeSource(errors, volume, at);
    if ((volume.name ?? '') === '') errors.required(`${at}.name`);
    else checkLabel(errors, `${at}.name`, volume.name);
    if (seen.has(volume.name)) errors.duplicate(`${at}.name`, volume.name);
    seen.add(volume.name);
  }
}

function checkVolumeSource(errors: FieldErrors, volume: Volume, at: string): void {
  const set = SOURCES.filter((source) => (volume as unknown as Readonly<Record<string, unknown>>)[source] !== undefined);
  for (const source of set.slice(1)) errors.forbidden(`${at}.${source}`, 'may not specify more than 1 volume type');
  if (volume.secret && (volume.secret.secretName ?? '') === '') errors.required(`${at}.secret.secretName`);
  if (volume.configMap && (volume.configMap.name ?? '') === '') errors.required(`${at}.configMap.name`);
  if (volume.persistentVolumeClaim && (volume.persistentVolumeClaim.claimName ?? '') === '') errors.required(`${at}.persistentVolumeClaim.claimName`);
  if (volume.hostPath) checkHostPath(errors, volume.hostPath, `${at}.hostPath`);
  if (volume.ephemeral) checkTemplate(errors, volume.ephemeral, `${at}.ephemeral`);
  for (const [i, item] of (volume.secret?.items ?? volume.configMap?.items ?? []).entries()) {
    const items = `${at}.${volume.secret ? 'secret' : 'configMap'}.items[${i}]`;
    if ((item.key ?? '') === '') errors.required(`${items}.key`);
    if ((item.path ?? '') === '') errors.required(`${items}.path`);
  }
}

function checkHostPath(errors: FieldErrors, { path = '', type }: NonNullable<Volume['hostPath']>, at: string): void {
  if (path === '') errors.required(`${at}.path`);
  if (path.split('/').includes('..')) errors.invalid(`${at}.path`, path, "must not contain '..'");
  checkHostPathType(errors, `${at}.type`, type);
}

function checkTemplate(errors: FieldErrors, ephemeral: NonNullable<Volume['ephemeral']>, at: string): void {
  if (!ephemeral.volumeClaimTemplate) errors.required(`${at}.volumeClaimTemplate`);
  else checkClaimSpec(errors, ephemeral.volumeClaimTemplate.spec ?? {}, `${at}.volumeClaimTemplate.spec`);
}

function checkContainers(errors: FieldErrors, spec: PodSpec, containers: readonly Container[], path: string, taken: ReadonlySet<string>): void {
  if (containers.length === 0) errors.required(path);
  const seen = new Set(taken);
  for (const [i, container] of containers.entries()) {
    const at = `${path}[${i}]`;
    if ((container.name ?? '') === '') errors.required(`${at}.name`);
    else checkLabel(errors, `${at}.name`, container.name);
    if (seen.has(container.name)) errors.duplicate(`${at}.name`, container.name);
    seen.add(container.name);
    if ((container.image ?? '') === '') errors.required(`${at}.image`);
    checkMounts(errors, spec, container, `${at}.volumeMounts`);
    checkDevices(errors, spec, container, `${at}.volumeDevices`);
    checkResources(errors, container, `${at}.resources`);
    if (containers === spec.initContainers && container.restartPolicy !== 'Always') forbidHandlers(errors, container, at);
    else checkHandlers(errors, container, spec.terminationGracePeriodSeconds, at);
  }
}

function checkMounts(errors: FieldErrors, spec: PodSpec, container: Container, path: string): void {
  if (!container.volumeMounts) return;
  const paths = new Set<string>();
  for (const [i, mount] of container.volumeMounts.entries()) {
    const at = `${path}[${i}]`;
    if ((mount.name ?? '') === '') errors.required(`${at}.name`);
    else if (!hasVolume(spec, mount.name)) errors.notFound(`${at}.name`, mount.name);
    if ((mount.mountPath ?? '') === '') errors.required(`${at}.mountPath`);
    if (paths.has(mount.mountPath)) errors.invalid(`${at}.mountPath`, mount.mountPath, 'must be unique');
    paths.add(mount.mountPath);
    if (container.volumeDevices?.some((device) => device.name === mount.name)) errors.invalid(`${at}.name`, mount.name, 'must not already exist in volumeDevices');
    if (container.volumeDevices?.some((device) => device.devicePath === mount.mountPath)) errors.invalid(`${at}.mountPath`, mount.mountPath, 'must not already exist as a path in volumeDevices');
    // The API server names these two without the mount's number.
    checkSubPath(errors, `${path}.subPath`, mount.subPath);
    if ((mount.subPathExpr ?? '') !== '' && (mount.subPath ?? '') !== '') errors.invalid(`${at}.subPathExpr`, mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive');
    checkSubPath(errors, `${path}.subPathExpr`, mount.subPathExpr);
  }
}

function checkSubPath(errors: FieldErrors, field: string, subPath: string | undefined): void {
  if (subPath === undefined) return;
  if (subPath.startsWith('/')) errors.invalid(field, subPath, 'must be a relative path');
  if (subPath.split('/').includes('..')) errors.invalid(field, subPath, "must not contain '..'");
}

function checkDevices(errors: FieldErrors, spec: PodSpec, container: Container, path: string): void {
  if (!container.volumeDevices) return;
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [i, device] of container.volumeDevices.entries()) {
    const at = `${path}[${i}]`;
    if ((device.name ?? '') === '') errors.required(`${at}.name`);
    else if (names.has(device.name)) errors.invalid(`${at}.name`, device.name, 'must be unique');
    const volume = spec.volumes?.find((candidate) => candidate.name === device.name);
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) errors.invalid(`${at}.name`, device.name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    if ((device.devicePath ?? '') === '') errors.required(`${at}.devicePath`);
    else if (paths.has(device.devicePath)) errors.invalid(`${at}.devicePath`, device.devicePath, 'must be unique');
    else if (device.devicePath.split('/').includes('..')) errors.invalid(`${at}.devicePath`, device.devicePath, "can not contain backsteps ('..')");
    if (device.name !== undefined && device.name !== '' && !volume) errors.notFound(`${at}.name`, device.name);
    if (container.volumeMounts?.some((mount) => mount.name === device.name)) errors.invalid(`${at}.name`, device.name, 'must not already exist in volumeMounts');
    names.add(device.name);
    paths.add(device.devicePath);
  }
}

function checkResources(errors: FieldErrors, container: Container, path: string): void {
  const { requests = {}, limits = {} } = container.resources ?? {};
  for (const [resource, request] of Object.entries(requests)) {
    const limit = limits[resource];
    if (limit !== undefined && amountOf(request) > amountOf(limit)) errors.invalid(`${path}.requests`, request, `must be less than or equal to ${resource} limit of ${limit}`);
  }
}

/** A quantity as a plain number; thousandths count. */
function amountOf(quantity: string): number {
  return quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1000 : bytesOf(quantity);
}

function hasVolume(spec: PodSpec, name: string): boolean {
  return spec.volumes?.some((volume) => volume.name === name) ?? false;
}

const POD_UPDATE_TEXT =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/**
 * A pod's spec stays as it was made, but for images, an active deadline and added tolerations; and the node, which only
 * the binding sets.
 * @modelled ref 1
 */
export function validatePodUpdate(old: Pod, next: Pod): void {
  if (old.spec.nodeName !== undefined || next.spec.nodeName === undefined) validatePodSpecUpdate(old, next);
}

/**
 * As everybody but the binding may change it. What may not change is told by the difference of the Go structs, in which
 * the fields that may stand as they were.
 * @modelled pkg/apis/core/validation/validation.go (ValidatePodUpdate), v1.35
 */
export function validatePodSpecUpdate(old: Pod, next: Pod): void {
  if (old.spec === next.spec) return;
  const errors = new FieldErrors();
  checkPodSpec(errors, next.spec, 'spec');
  for (const list of ['containers', 'initContainers'] as const) {
    if ((old.spec[list] ?? []).length === (next.spec[list] ?? []).length) continue;
    errors.forbidden(`spec.${list}`, 'pod updates may not add or remove containers');
    errors.throwFor(next);
  }
  const had = old.spec.tolerations ?? [];
  const has = next.spec.tolerations ?? [];
  if (!had.every((toleration) => has.some((other) => deepEqual({ ...toleration, tolerationSeconds: undefined }, { ...other, tolerationSeconds: undefined })))) errors.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
  if (!checkDeadlineUpdate(errors, old.spec.activeDeadlineSeconds, next.spec.activeDeadlineSeconds)) errors.throwFor(next);
  const wanted = goPodSpec(withChangeable(next.spec, old.spec));
  const before = goPodSpec(old.spec);
  if (!deepEqual(before, wanted)) errors.forbidden('spec', `${POD_UPDATE_TEXT}\n${goDiff(before, wanted)}`);
  errors.throwFor(next);
}

/** A deadline may be set, and made shorter. */
function checkDeadlineUpdate(errors: FieldErrors, before: number | undefined, after: number | undefined): boolean {
  const field = 'spec.activeDeadlineSeconds';
  if (before === undefined || (after !== undefined && after <= before)) return true;
  if (after === undefined) errors.invalid(field, null, 'must not update from a positive integer to nil value');
  else errors.invalid(field, after, 'must be less than or equal to previous value');
  return false;
}

type PodSpecFields = PodSpec & { readonly schedulingGates?: unknown };

/** The spec with the fields that may change as they were. */
function withChangeable(spec: PodSpecFields, old: PodSpecFields): PodSpec {
  const withImages = (containers: readonly Container[], before: readonly Container[] = []): Container[] => containers.map((container, index) => ({ ...container, image: before[index]?.image ?? container.image }));
  return {
    ...spec,
    containers: withImages(spec.containers, old.containers),
    ...(spec.initContainers ? { initContainers: withImages(spec.initContainers, old.initContainers) } : {}),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
  } as PodSpec;
}

/** What a container is started with: its environment and its mounts (kubelet_pods.go makeEnvironmentVariables and makeMounts, v1.35). */
import type { Container, EnvVar, Pod, StringMap, VolumeMount } from '../../model/objects.ts';
import { ensureDirectory, type FsNode } from '../../process/filesystem.ts';
import type { MountSpec } from '../../process/mounts.ts';
import type { KubeletEnvironment } from './environment.ts';
import { fieldValue } from './payload.ts';
import type { VolumeContent } from './volume-content.ts';

/** Why a container cannot be made: the kubelet's `CreateContainerConfigError`. */
export class ContainerConfigError extends Error {}

export interface ContainerConfig {
  readonly environment: ReadonlyMap<string, string>;
  readonly mounts: readonly MountSpec[];
  /** Raw block devices by their path in the container. */
  readonly devices: readonly { readonly path: string; readonly content: VolumeContent }[];
}

/** Throws ContainerConfigError. */
export function containerConfig(env: KubeletEnvironment, pod: Pod, spec: Container): ContainerConfig {
  return { environment: environmentOf(env, pod, spec), mounts: mountsOf(env, pod, spec), devices: devicesOf(env, pod, spec) };
}

/**
 * A Secret or ConfigMap that the environment needs: unlike one that a volume needs it does not block the volumes, but the
 * container.
 * @modelled ref 7.3
 */
function environmentOf(env: KubeletEnvironment, pod: Pod, spec: Container): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { prefix = '', secretRef, configMapRef } of spec.envFrom ?? []) {
    const data = secretRef ? dataOf(env, pod, 'Secret', secretRef) : configMapRef ? dataOf(env, pod, 'ConfigMap', configMapRef) : {};
    for (const [key, value] of Object.entries(data ?? {})) values.set(`${prefix}${key}`, value);
  }
  for (const variable of spec.env ?? []) {
    const value = valueOf(env, pod, variable);
    if (value !== undefined) values.set(variable.name, expandVariables(value, values));
  }
  return values;
}

function valueOf(env: KubeletEnvironment, pod: Pod, { value = '', valueFrom }: EnvVar): string | undefined {
  if (!valueFrom) return value;
  const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom;
  if (fieldRef) return fieldValue(pod, fieldRef.fieldPath);
  const reference = secretKeyRef ?? configMapKeyRef;
  if (!reference) return '';
  const kind = secretKeyRef ? 'Secret' : 'ConfigMap';
  const found = dataOf(env, pod, kind, reference)?.[reference.key];
  if (found === undefined && reference.optional !== true) throw new ContainerConfigError(`couldn't find key ${reference.key} in ${kind} ${pod.metadata.namespace ?? ''}/${reference.name}`);
  return found;
}

function dataOf(env: KubeletEnvironment, pod: Pod, kind: 'Secret' | 'ConfigMap', { name, optional }: { readonly name: string; readonly optional?: boolean }): StringMap | undefined {
  const object = env.world.api.get(kind, pod.metadata.namespace, name);
  if (!object && optional !== true) throw new ContainerConfigError(`${kind.toLowerCase()} "${name}" not found`);
  return object?.data ?? {};
}

/** `$(NAME)` of a variable that was set before; `$$` stands for `$` (third_party/forked/golang/expansion). */
export function expandVariables(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$(\$|\(([^)]*)\))/g, (whole, escaped: string, name: string | undefined) => (escaped === '$' ? '$' : (values.get(name ?? '') ?? whole)));
}

/** @recorded #immediate-happy, #read-only-mount, #read-only-one-container */
function mountsOf(env: KubeletEnvironment, pod: Pod, spec: Container): MountSpec[] {
  return (spec.volumeMounts ?? []).flatMap((mount) => {
    const content = env.volumes.mounter.content(pod.metadata.uid, mount.name);
    return content ? [mountOf(content, mount, spec)] : [];
  });
}

function mountOf(content: VolumeContent, mount: VolumeMount, spec: Container): MountSpec {
  const readOnly = content.readOnly || mount.readOnly === true;
  const { subPath = '' } = mount;
  if (subPath === '') return { mountPath: mount.mountPath, tree: content.tree, readOnly, source: content.source };
  const source = { ...content.source, root: `${content.source.root.replace(/\/$/, '')}/${subPath}` };
  return { mountPath: mount.mountPath, tree: subTree(content, subPath, mount.name, spec.name), readOnly, source };
}

/** A subPath that is missing is made as a directory, which a read-only volume does not allow (pkg/volume/util/subpath). @modelled ref 7.3 */
function subTree(content: VolumeContent, subPath: string, volume: string, container: string): MountSpec['tree'] {
  const there = follow(content.tree, subPath.split('/'), 0);
  if (there) return { root: there };
  const made = content.readOnly ? undefined : ensureDirectory(content.tree, subPath);
  if (!made) throw new ContainerConfigError(`failed to prepare subPath for volumeMount "${volume}" of container "${container}"`);
  return made;
}

const MOST_LINKS = 40;

/** What stands at a path inside a tree, relative links followed; a Secret's files are links themselves. */
function follow(tree: MountSpec['tree'], names: readonly string[], links: number): FsNode | undefined {
  let node: FsNode | undefined = tree.root;
  for (const [i, name] of names.entries()) {
    if (name === '' || name === '.') continue;
    node = node.type === 'directory' ? node.entries.get(name) : undefined;
    if (node?.type === 'symlink') {
      if (links >= MOST_LINKS || node.target.startsWith('/')) return undefined;
      return follow(tree, [...names.slice(0, i), ...node.target.split('/'), ...names.slice(i + 1)], links + 1);
    }
    if (!node) return undefined;
  }
  return node;
}

/** @recorded #block-device */
function devicesOf(env: KubeletEnvironment, pod: Pod, spec: Container): ContainerConfig['devices'] {
  return (spec.volumeDevices ?? []).flatMap(({ name, devicePath }) => {
    const content = env.volumes.mounter.content(pod.metadata.uid, name);
    return content ? [{ path: devicePath, content }] : [];
  });
}

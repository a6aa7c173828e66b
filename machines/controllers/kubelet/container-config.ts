/** What a container is started with: its environment and its mounts (kubelet_pods.go makeEnvironmentVariables and makeMounts, v1.35). */
import type { Container, EnvVar, Pod, StringMap, VolumeMount } from '../../model/objects.ts';
import { ensureDirectory, STICKY, type FsNode } from '../../process/filesystem.ts';
import type { MountSpec } from '../../process/mounts.ts';
import { podText } from './container.ts';
import type { KubeletEnvironment } from './environment.ts';
import { environmentField, resourceValue } from './downward.ts';
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
export function containerConfig(env: KubeletEnvironment, pod: Pod, spec: Container, podIP: string): ContainerConfig {
  const environment = environmentOf(env, pod, spec, podIP);
  checkUser(pod, spec);
  return { environment, mounts: mountsOf(env, pod, spec, environment), devices: devicesOf(env, pod, spec) };
}

/** The image's own user is root. @modelled pkg/kubelet/kuberuntime/security_context.go verifyRunAsNonRoot, v1.35 */
function checkUser(pod: Pod, { name, securityContext }: Container): void {
  const all = pod.spec.securityContext;
  if ((securityContext?.runAsNonRoot ?? all?.runAsNonRoot) !== true) return;
  const user = securityContext?.runAsUser ?? all?.runAsUser;
  const where = `(pod: "${podText(pod)}", container: ${name})`;
  if (user === 0) throw new ContainerConfigError(`container's runAsUser breaks non-root policy ${where}`);
  if (user === undefined) throw new ContainerConfigError(`container has runAsNonRoot and image will run as root ${where}`);
}

/**
 * A Secret or ConfigMap that the environment needs: unlike one that a volume needs it does not block the volumes, but the
 * container.
 * @modelled ref 7.3
 */
function environmentOf(env: KubeletEnvironment, pod: Pod, spec: Container, podIP: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { prefix = '', secretRef, configMapRef } of spec.envFrom ?? []) {
    const data = secretRef ? dataOf(env, pod, 'Secret', secretRef) : configMapRef ? dataOf(env, pod, 'ConfigMap', configMapRef) : {};
    for (const [key, value] of Object.entries(data ?? {})) values.set(`${prefix}${key}`, value);
  }
  for (const variable of spec.env ?? []) {
    const value = valueOf(env, pod, spec, podIP, variable);
    if (value !== undefined) values.set(variable.name, expandVariables(value, values));
  }
  return values;
}

function valueOf(env: KubeletEnvironment, pod: Pod, spec: Container, podIP: string, { value = '', valueFrom }: EnvVar): string | undefined {
  if (!valueFrom) return value;
  const { secretKeyRef, configMapKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (fieldRef) return environmentField(env.world.api, pod, fieldRef.fieldPath, podIP);
  if (resourceFieldRef) return resourceValue(env.world.api, pod, resourceFieldRef.containerName ?? spec.name, resourceFieldRef);
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

const REFERENCE = /\$(\$|\(([^)]*)\))/g;

/** `$(NAME)` of a variable that was set before; `$$` stands for `$` (third_party/forked/golang/expansion). */
export function expandVariables(text: string, values: ReadonlyMap<string, string>): string {
  if (!text.includes('$')) return text;
  return text.replace(REFERENCE, (whole, escaped: string, name: string | undefined) => (escaped === '$' ? '$' : (values.get(name ?? '') ?? whole)));
}

function variablesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, , name]) => name ?? []);
}

/** @recorded #immediate-happy, #read-only-mount, #read-only-one-container */
function mountsOf(env: KubeletEnvironment, pod: Pod, spec: Container, values: ReadonlyMap<string, string>): MountSpec[] {
  return (spec.volumeMounts ?? []).flatMap((mount) => {
    const content = env.volumes.content(pod.metadata.uid, mount.name);
    return content ? [mountOf(content, mount, spec, values)] : [];
  });
}

function mountOf(content: VolumeContent, mount: VolumeMount, spec: Container, values: ReadonlyMap<string, string>): MountSpec {
  const readOnly = content.readOnly || mount.readOnly === true;
  const subPath = subPathOf(mount, values);
  if (subPath === '') return { mountPath: mount.mountPath, tree: content.tree, readOnly, source: content.source };
  const { tree, path } = subTree(content, subPath, `volumeMount "${mount.name}" of container "${spec.name}"`);
  const source = { ...content.source, root: `${content.source.root.replace(/\/$/, '')}/${path}` };
  return { mountPath: mount.mountPath, tree, readOnly, source };
}

/**
 * The part of the volume that is mounted. An expression takes the container's variables, and all that it names must be there
 * (ExpandContainerVolumeMounts).
 * @modelled pkg/kubelet/kubelet_pods.go makeMounts, v1.35
 */
function subPathOf({ subPath = '', subPathExpr = '' }: VolumeMount, values: ReadonlyMap<string, string>): string {
  if (subPathExpr === '') return subPath;
  const missing = [...new Set(variablesIn(subPathExpr))].filter((name) => (values.get(name) ?? '') === '').toSorted();
  if (missing.length > 0) throw new ContainerConfigError(`missing value for ${missing.join(', ')}`);
  const expanded = expandVariables(subPathExpr, values);
  if (expanded.startsWith('/')) throw new ContainerConfigError(`error SubPath \`${expanded}\` must not be an absolute path`);
  if (expanded.split('/').includes('..')) throw new ContainerConfigError(`unable to provision SubPath \`${expanded}\`: must not contain '..'`);
  return expanded;
}

/**
 * A subPath that is missing is made as a directory with the mode of the volume, which a volume that is read-only on the node
 * does not allow. Where a file stands in the way nothing can be made.
 * @modelled pkg/kubelet/kubelet_pods.go makeMounts, pkg/volume/util/subpath, v1.35
 */
function subTree({ tree, readOnlyOnNode }: VolumeContent, subPath: string, where: string): { readonly tree: MountSpec['tree']; readonly path: string } {
  const found = follow(tree, subPath.split('/'), 0);
  if (typeof found === 'object') return { tree: { root: found.node }, path: found.path };
  if (found === 'blocked') throw new ContainerConfigError(`failed to prepare subPath for ${where}`);
  const { mode, mtimeMs } = tree.root;
  const made = readOnlyOnNode === true ? undefined : ensureDirectory(tree, subPath, { mode: 0o755, mtimeMs });
  if (!made) throw new ContainerConfigError(`failed to create subPath directory for ${where}`);
  made.root.mode = mode & ~STICKY;
  return { tree: made, path: subPath };
}

const MOST_LINKS = 40;
type Found = { readonly node: FsNode; readonly path: string } | 'missing' | 'blocked';

/** What stands at a path inside a tree, relative links followed; a Secret's files are links themselves. `blocked`: a file stands on the way. */
function follow(tree: MountSpec['tree'], path: readonly string[], links: number): Found {
  const names = path.filter((name) => name !== '' && name !== '.');
  let node: FsNode = tree.root;
  for (const [i, name] of names.entries()) {
    if (node.type !== 'directory') return 'blocked';
    const child: FsNode | undefined = node.entries.get(name);
    if (!child) return 'missing';
    if (child.type === 'symlink') {
      if (links >= MOST_LINKS || child.target.startsWith('/')) return 'missing';
      return follow(tree, [...names.slice(0, i), ...child.target.split('/'), ...names.slice(i + 1)], links + 1);
    }
    node = child;
  }
  return { node, path: names.join('/') };
}

/** @recorded #block-device */
function devicesOf(env: KubeletEnvironment, pod: Pod, spec: Container): ContainerConfig['devices'] {
  return (spec.volumeDevices ?? []).flatMap(({ name, devicePath }) => {
    const content = env.volumes.content(pod.metadata.uid, name);
    return content ? [{ path: devicePath, content }] : [];
  });
}

/**
 * Secrets that a class names for its volumes: for making them, and for what happens to them later
 * (external-provisioner v6.3.0, pkg/controller/controller.go getSecretReference, getCredentials).
 */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { CSIVolumeSource, PersistentVolumeClaim, SecretReference, StringMap } from '../../model/objects.ts';

const PREFIX = 'csi.storage.k8s.io/';
/** The uses in the order in which they are resolved; each but the first becomes a field of the volume. */
const USES = [
  { name: 'Provisioner', key: 'provisioner-', field: undefined },
  { name: 'ControllerPublish', key: 'controller-publish-', field: 'controllerPublishSecretRef' },
  { name: 'NodeStage', key: 'node-stage-', field: 'nodeStageSecretRef' },
  { name: 'NodePublish', key: 'node-publish-', field: 'nodePublishSecretRef' },
  { name: 'ControllerExpand', key: 'controller-expand-', field: 'controllerExpandSecretRef' },
  { name: 'NodeExpand', key: 'node-expand-', field: 'nodeExpandSecretRef' },
] as const;

export interface ClassSecrets {
  /** The Secret for making and deleting the volume; undefined when the class names none. */
  readonly provisioner: SecretReference | undefined;
  /** The fields of the volume's source. */
  readonly references: Partial<CSIVolumeSource>;
}

/** The Secrets of a new volume, or why they cannot be had: only the one for making it must exist already. @modelled external-provisioner v6.3.0 pkg/controller/controller.go */
export function classSecrets(api: ApiServer, parameters: StringMap, claim: PersistentVolumeClaim, volumeName: string): ClassSecrets | string {
  const references: Record<string, SecretReference> = {};
  let provisioner: SecretReference | undefined;
  for (const { name, key, field } of USES) {
    const reference = referenceOf(parameters, name, key, claim, volumeName);
    if (typeof reference === 'string') return reference;
    if (field !== undefined && reference) references[field] = reference;
    if (field !== undefined) continue;
    provisioner = reference;
    if (reference && !api.get('Secret', reference.namespace, reference.name)) {
      return `error getting secret ${reference.name} in namespace ${reference.namespace}: secrets "${reference.name}" not found`;
    }
  }
  return { provisioner, references };
}

function referenceOf(parameters: StringMap, use: string, key: string, claim: PersistentVolumeClaim, volumeName: string): SecretReference | undefined | string {
  const own = templatesOf(parameters, use, key);
  if (typeof own === 'string') return `failed to get name and namespace template from params: ${own}`;
  const templates = own ?? templatesOf(parameters, 'Default', '');
  if (typeof templates === 'string') return `failed to get default name and namespace template from params: ${templates}`;
  if (!templates) return undefined;
  const { name, namespace = '', annotations = {} } = claim.metadata;
  const inNamespace = { 'pv.name': volumeName, 'pvc.namespace': namespace };
  const inName = { ...inNamespace, 'pvc.name': name, ...Object.fromEntries(Object.entries(annotations).map(([k, v]) => [`pvc.annotations['${k}']`, v])) };
  const resolvedNamespace = resolve(templates.namespace, inNamespace);
  if (typeof resolvedNamespace !== 'string') return resolvedNamespace.error;
  const resolvedName = resolve(templates.name, inName);
  return typeof resolvedName === 'string' ? { name: resolvedName, namespace: resolvedNamespace } : resolvedName.error;
}

function templatesOf(parameters: StringMap, use: string, key: string): { readonly name: string; readonly namespace: string } | undefined | string {
  const name = parameters[`${PREFIX}${key}secret-name`];
  const namespace = parameters[`${PREFIX}${key}secret-namespace`];
  if (name === undefined && namespace === undefined) return undefined;
  if (name === undefined || namespace === undefined) return `either name and namespace for ${use} secrets specified, Both must be specified`;
  if (name === '' || namespace === '') return `${use} secrets specified in parameters but value of either namespace or name is empty`;
  return { name, namespace };
}

function resolve(template: string, tokens: StringMap): string | { readonly error: string } {
  const unknown = new Set<string>();
  const text = template.replaceAll(/\$\{([^}]*)\}/g, (_whole, token: string) => tokens[token] ?? (unknown.add(token), ''));
  if (unknown.size === 0) return text;
  const list = [...unknown].toSorted().map((token) => JSON.stringify(token)).join(' ');
  return { error: `error resolving value ${JSON.stringify(template)}: invalid tokens: [${list}]` };
}

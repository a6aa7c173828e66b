/**
 * Keys for pods that mean the same pod in two runs of one scenario, whatever names were generated.
 *
 * A pod with a name of its own is `ns/name`; when it is made again under the same name it is `ns/name#2`. A pod whose name is
 * generated (its controller is no StatefulSet) is `ns/KIND/OWNER#n`: the n-th pod made under that top owner, which is the
 * Deployment for a ReplicaSet that a Deployment owns.
 */
import type { AnyObject, OwnerReference } from '../model/objects.ts';

/** Gives every pod its key, in the order in which pods appear. Reader of a trace and running cluster use the same. */
export class PodKeys {
  private readonly made = new Map<string, number>();
  private readonly currentKey = new Map<string, string>();
  private readonly topOwner = new Map<string, string>();

  /** A ReplicaSet stands for the Deployment that owns it. */
  learn(replicaSet: AnyObject): void {
    const owner = controllerOf(replicaSet);
    if (owner !== undefined) this.topOwner.set(replicaSet.metadata.name, `${owner.kind}/${owner.name}`);
  }

  /** A pod that was just created. */
  added(pod: AnyObject): string {
    const base = this.base(pod);
    const ordinal = (this.made.get(base.key) ?? 0) + 1;
    this.made.set(base.key, ordinal);
    const key = base.generated ? `${base.key}#${ordinal}` : numbered(base.key, ordinal);
    this.currentKey.set(nameOf(pod), key);
    return key;
  }

  current(pod: AnyObject): string | undefined {
    return this.currentKey.get(nameOf(pod));
  }

  private base(pod: AnyObject): { readonly key: string; readonly generated: boolean } {
    const owner = controllerOf(pod);
    if (owner === undefined || owner.kind === 'StatefulSet') return { key: nameOf(pod), generated: false };
    const top = this.topOwner.get(owner.name) ?? `${owner.kind}/${owner.name}`;
    return { key: `${pod.metadata.namespace ?? ''}/${top}`, generated: true };
  }
}

function controllerOf(object: AnyObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(reference => reference.controller === true);
}

function nameOf(object: AnyObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

/** `key`, or `key#n` from the second on. */
export function numbered(key: string, ordinal: number): string {
  return ordinal === 1 ? key : `${key}#${ordinal}`;
}

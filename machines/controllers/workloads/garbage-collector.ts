/**
 * The garbage collector (pkg/controller/garbagecollector, v1.35): an object whose owners are all gone is deleted, as
 * `kubectl delete` in its default mode (background) leaves it behind.
 */
import { KINDS } from '../../model/kinds.ts';
import type { AnyObject, Kind, OwnerReference } from '../../model/objects.ts';
import { withMeta } from '../../kernel/api-server.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';

/** Kinds that can have an owner here, and kinds that can be one. */
const DEPENDENT_KINDS = ['ReplicaSet', 'ControllerRevision', 'Pod', 'PersistentVolumeClaim'] as const satisfies readonly Kind[];
const OWNER_KINDS = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Pod', 'PersistentVolumeClaim', 'Node', 'ConfigMap', 'Secret'] as const satisfies readonly Kind[];

export function startGarbageCollector(world: World): void {
  for (const kind of DEPENDENT_KINDS) {
    world.api.index(indexOf(kind), kind, (object) => object.metadata.ownerReferences?.map((owner) => owner.uid) ?? [], (object) => object.metadata.ownerReferences);
    world.api.watch(kind, ({ verb, object }) => {
      // Made by a controller that had not yet seen its owner go.
      if (verb === 'ADDED' && object.metadata.ownerReferences?.some((owner) => !exists(world, object, owner))) collectSoon(world, object);
    });
  }
  for (const kind of OWNER_KINDS) {
    world.api.watch(kind, ({ verb, object }) => {
      if (verb === 'DELETED') for (const dependent of dependentsOf(world, object.metadata.uid)) collectSoon(world, dependent);
    });
  }
}

function indexOf(kind: Kind): string {
  return `garbage-collector.${kind}-by-owner`;
}

function dependentsOf(world: World, uid: string): AnyObject[] {
  return DEPENDENT_KINDS.flatMap((kind) => world.api.byIndex(indexOf(kind), uid) as AnyObject[]);
}

function collectSoon(world: World, object: AnyObject): void {
  world.clock.after(timings.garbageCollection, () => {
    collect(world, object);
  });
}

/**
 * attemptToDeleteItem: with an owner left, only the dangling references go; without, the object is deleted.
 * @recorded #statefulset-templates, #ephemeral-volume
 */
function collect(world: World, seen: AnyObject): void {
  const { kind } = seen;
  const { namespace, name, uid } = seen.metadata;
  const object = world.api.get(kind, namespace, name) as AnyObject | undefined;
  if (object?.metadata.uid !== uid || object.metadata.deletionTimestamp !== undefined) return;
  const owners = object.metadata.ownerReferences ?? [];
  const solid = owners.filter((owner) => exists(world, object, owner));
  if (owners.length === solid.length) return;
  if (solid.length === 0) world.api.delete(kind, namespace, name, { uid });
  else world.api.update(kind, namespace, name, (current) => withMeta(current as AnyObject, { ownerReferences: solid }) as typeof current);
}

/** An owner of a kind that is not served here is taken as there. */
function exists(world: World, object: AnyObject, owner: OwnerReference): boolean {
  const kind = owner.kind as Kind;
  if (!(kind in KINDS)) return true;
  return world.api.get(kind, object.metadata.namespace, owner.name)?.metadata.uid === owner.uid;
}

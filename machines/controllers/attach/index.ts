/**
 * The attach-detach controller: keeps the volumes of running pods attached to their nodes, and nothing else
 * (pkg/controller/volume/attachdetach, v1.35; ref 5).
 */
import { timings } from '../../kernel/timings.ts';
import { Ticker } from '../../kernel/ticker.ts';
import type { World } from '../../kernel/world.ts';
import type { Node, Pod } from '../../model/objects.ts';
import { uniqueCsiName } from '../../model/volume-identity.ts';
import { indexPodsByClaim, podsOf } from '../claims/pods-of-claim.ts';
import { ActualState } from './actual-state.ts';
import { DesiredState } from './desired-state.ts';
import { attachableVolumesOf, releasesVolumes } from './pod-volumes.ts';
import { Reconciler } from './reconciler.ts';

/** Kubelets that leave attaching to the controller carry this annotation; others are not touched. */
const CONTROLLER_MANAGED = 'volumes.kubernetes.io/controller-managed-attach-detach';

const NONE: readonly string[] = [];

/** Starts the controller. It lives on watches of pods, claims, nodes and attachments. */
export function startAttachDetach(world: World): void {
  const desired = new DesiredState();
  const actual = new ActualState();
  const reconciler = new Reconciler(world, desired, actual);
  const unresolved = new Map<string, Pod>();
  const podList = new Ticker(world.clock, timings.attachPodList, world.random.between(0, timings.attachPodList), () => {
    for (const pod of [...unresolved.values()]) consider(pod.metadata.namespace, pod.metadata.name, pod.metadata.uid);
  });

  indexPodsByClaim(world.api);

  function consider(namespace: string | undefined, name: string, uid: string): void {
    const pod = world.api.get('Pod', namespace, name);
    if (pod?.metadata.uid === uid) podChanged(pod);
    else unresolved.delete(uid);
  }

  function podChanged(pod: Pod): void {
    const node = pod.spec.nodeName;
    if (node === undefined || !isManaged(world.api.get('Node', undefined, node))) return;
    if (releasesVolumes(pod)) {
      podGone(pod);
      return;
    }
    const { found, unresolved: open } = attachableVolumesOf(world.api, pod);
    for (const volume of found) if (desired.add(node, volume, pod)) reconciler.wanted(volume.uniqueName, node);
    if (open) {
      unresolved.set(pod.metadata.uid, pod);
      podList.wake();
    } else unresolved.delete(pod.metadata.uid);
  }

  function podGone(pod: Pod): void {
    unresolved.delete(pod.metadata.uid);
    if (pod.spec.nodeName === undefined) return;
    for (const uniqueName of desired.removePod(pod.spec.nodeName, pod.metadata.uid)) reconciler.touch(uniqueName);
  }

  /** What the node has in use, its taints and whether it is ready decide on waiting detaches. */
  function nodeChanged(name: string, node: Node | undefined, old: Node | undefined): void {
    if (node) learnInUse(name, node, old);
    if (!desired.hasLeft(name)) return;
    for (const attachment of actual.onNode(name)) if (!desired.get(attachment.uniqueName, name)) reconciler.touch(attachment.uniqueName);
  }

  /** A node is written for many reasons: of its list only what changed is looked at, and new attachments are looked up in it. */
  function learnInUse(name: string, node: Node, old: Node | undefined): void {
    const { volumesInUse = NONE } = node.status;
    const unasked = actual.takeUnasked(name);
    for (const attachment of old ? unasked : actual.onNode(name)) attachment.mountedByNode = volumesInUse.includes(attachment.uniqueName);
    const before = old ? (old.status.volumesInUse ?? NONE) : volumesInUse;
    if (before !== volumesInUse) learnChanges(name, before, volumesInUse);
  }

  /** Most lists differ from the one before in one name: what both begin with and end with is left aside. */
  function learnChanges(node: string, before: readonly string[], now: readonly string[]): void {
    const shorter = Math.min(before.length, now.length);
    let from = 0;
    while (from < shorter && before[from] === now[from]) from++;
    let after = 0;
    while (after < shorter - from && before[before.length - 1 - after] === now[now.length - 1 - after]) after++;
    for (let i = from; i < before.length - after; i++) mark(node, before[i] as string, false);
    for (let i = from; i < now.length - after; i++) mark(node, now[i] as string, true);
  }

  function mark(node: string, uniqueName: string, mounted: boolean): void {
    const attachment = actual.get(uniqueName, node);
    if (attachment) attachment.mountedByNode = mounted;
  }

  /** Most writes of a pod tell what its containers do. */
  function isNews(pod: Pod, old: Pod | undefined): boolean {
    return old?.spec !== pod.spec || releasesVolumes(old) !== releasesVolumes(pod) || unresolved.has(pod.metadata.uid);
  }

  world.api.watch('Pod', ({ verb, object, old }) => {
    if (verb === 'DELETED') podGone(object);
    else if (isNews(object, old)) podChanged(object);
  });
  world.api.watch('PersistentVolumeClaim', ({ verb, key }) => {
    if (verb === 'DELETED') return;
    for (const pod of podsOf(world.api, key)) podChanged(pod);
  });
  world.api.watch('Node', ({ verb, object, old }) => nodeChanged(object.metadata.name, verb === 'DELETED' ? undefined : object, old));
  world.api.watch('VolumeAttachment', ({ verb, object, old }) => {
    const lost = verb === 'DELETED' ? object.status.attached : old?.status.attached === true && !object.status.attached;
    if (!lost) return;
    const csi = world.api.get('PersistentVolume', undefined, object.spec.source.persistentVolumeName)?.spec.csi;
    if (csi) reconciler.doubt(uniqueCsiName(csi.driver, csi.volumeHandle));
  });
}

function isManaged(node: Node | undefined): boolean {
  return node?.metadata.annotations?.[CONTROLLER_MANAGED] === 'true';
}

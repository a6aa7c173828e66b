/**
 * The attach-detach controller's reconciler: every 100 ms detaches first, then attaches, then the node statuses
 * (attachdetach/reconciler, v1.35; ref 5). It looks only at volumes for which something may have changed.
 */
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { PendingOperations, type OperationKey } from '../../kernel/pending-operations.ts';
import { Ticker } from '../../kernel/ticker.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { Node, ObjectReference, PersistentVolume } from '../../model/objects.ts';
import { mayAttachToSeveralNodes } from '../../model/volume-identity.ts';
import type { ActualState, Attachment } from './actual-state.ts';
import { attachChart, type AttachLane, type AttachLanes } from './chart.ts';
import type { Desire, DesiredState, PodName } from './desired-state.ts';
import { multiAttachMessage } from './multi-attach.ts';
import { reportAttached } from './node-status.ts';
import { attach, attachmentOf, detach } from './operations.ts';


const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

export class Reconciler {
  private readonly world: World;
  private readonly desired: DesiredState;
  private readonly actual: ActualState;
  private readonly recorder: EventRecorder;
  private readonly lanes: AttachLanes;
  private readonly operations: PendingOperations;
  private readonly loop: Ticker;
  private readonly sync: Ticker;
  private readonly changed = new Set<string>();
  private readonly unreportedNodes = new Set<string>();
  private readonly doubted = new Set<string>();

  constructor(world: World, desired: DesiredState, actual: ActualState) {
    this.world = world;
    this.desired = desired;
    this.actual = actual;
    this.recorder = world.recorder('attachdetach-controller');
    this.lanes = world.lanes(attachChart);
    this.operations = new PendingOperations(world.clock);
    this.loop = new Ticker(world.clock, timings.attachLoop, world.random.between(0, timings.attachLoop), () => this.reconcile());
    this.sync = new Ticker(world.clock, timings.attachSync, world.random.between(0, timings.attachSync), () => this.verify());
  }

  /** Something about the volume may have changed: the loop's next round looks at it. */
  touch(uniqueName: string): void {
    this.changed.add(uniqueName);
    this.loop.wake();
  }

  /** A new desire: a lane that an earlier life left detached begins anew. */
  wanted(uniqueName: string, node: string): void {
    this.laneOf(uniqueName, node).try('WANT');
    this.touch(uniqueName);
  }

  /** Somebody changed an attachment: the next sync, once a minute, will look whether it is still attached. */
  doubt(uniqueName: string): void {
    this.doubted.add(uniqueName);
    this.sync.wake();
  }

  private laneFor(desire: Desire): AttachLane {
    return (desire.lane ??= this.laneOf(desire.uniqueName, desire.node));
  }

  private laneOf(uniqueName: string, node: string): AttachLane {
    return this.lanes.get(`${node}/${uniqueName}`);
  }

  private reconcile(): void {
    const volumes = [...this.changed];
    this.changed.clear();
    for (const uniqueName of volumes) for (const attachment of this.actual.of(uniqueName)) this.considerDetach(attachment);
    for (const uniqueName of volumes) for (const desire of this.desired.of(uniqueName)) this.considerAttach(desire);
    for (const node of this.unreportedNodes) this.world.clock.after(timings.attachedReport, () => reportAttached(this.world, node, this.actual.listedOn(node)));
    this.unreportedNodes.clear();
  }

  private lookAgainAt(uniqueName: string, timeMs: number): void {
    this.world.clock.at(timeMs, () => this.touch(uniqueName));
  }

  /**
   * A volume that no pod of the node wants is detached once the node no longer has it in use. Two ways around that: the
   * out-of-service taint, and six minutes of waiting for a node that is not ready.
   * @recorded #node-move, #finished-pod, #node-down
   */
  private considerDetach(attachment: Attachment): void {
    const { uniqueName, node } = attachment;
    if (this.desired.get(uniqueName, node)) return;
    const key = operationKey(attachment.volume, uniqueName, node);
    if (this.operations.isPending(key)) return;
    const retryAt = this.operations.retryAt(key, 'detach');
    if (retryAt !== undefined) {
      this.lookAgainAt(uniqueName, retryAt);
      return;
    }
    const waitedMs = this.waitedForUnmount(attachment);
    const object = this.world.api.get('Node', undefined, node);
    const timedOut = waitedMs > timings.forceDetach;
    const outOfService = object?.spec.taints?.some((taint) => taint.key === OUT_OF_SERVICE) ?? false;
    if (attachment.mountedByNode && !outOfService && !(timedOut && !isReady(object))) return;
    this.startDetach(attachment, key, !(timedOut || outOfService));
  }

  /** How long the volume has been unwanted; the first look starts the six minutes. */
  private waitedForUnmount(attachment: Attachment): number {
    if (attachment.detachRequestedAt === undefined) {
      attachment.detachRequestedAt = this.world.clock.now;
      this.lookAgainAt(attachment.uniqueName, this.world.clock.now + timings.forceDetach + 1);
    }
    return this.world.clock.now - attachment.detachRequestedAt;
  }

  /** First the node is told that the volume is no longer safe to mount, then the volume is detached. @recorded #node-move */
  private startDetach(attachment: Attachment, key: OperationKey, verifySafe: boolean): void {
    if (!this.operations.start(key, 'detach').started) return;
    this.actual.mark(attachment, { reported: false });
    this.world.clock.after(timings.attachedReport, () => {
      reportAttached(this.world, attachment.node, this.actual.listedOn(attachment.node));
      this.world.clock.after(timings.detachVerify, () => this.detach(attachment, key, verifySafe));
    });
  }

  private detach(attachment: Attachment, key: OperationKey, verifySafe: boolean): void {
    const { uniqueName, node, volume } = attachment;
    this.laneOf(uniqueName, node).send('DETACH');
    const inUse = this.world.api.get('Node', undefined, node)?.status.volumesInUse?.includes(uniqueName) ?? false;
    if (verifySafe && inUse) {
      this.detachFailed(attachment, key);
      return;
    }
    detach(this.world, volume, node, (error) => {
      if (error === undefined) this.detached(attachment, key);
      else this.detachFailed(attachment, key);
    });
  }

  private detached(attachment: Attachment, key: OperationKey): void {
    const { uniqueName, node } = attachment;
    this.actual.remove(attachment);
    const lane = this.laneOf(uniqueName, node);
    lane.send('DETACHED');
    // A pod may have come back to the node while the volume was being detached.
    if (this.desired.get(uniqueName, node)) lane.send('WANT');
    this.operations.succeed(key);
    this.touch(attachment.uniqueName);
  }

  /**
   * A failed detach leaves it open whether the volume is still attached. From then on it no longer counts as attached
   * elsewhere, so the Multi-Attach guard lets another node try; nothing is announced.
   * @recorded #detach-fails
   */
  private detachFailed(attachment: Attachment, key: OperationKey): void {
    this.actual.mark(attachment, { confirmed: false });
    this.actual.moveToEnd(attachment);
    this.laneOf(attachment.uniqueName, attachment.node).send('FAIL');
    this.operations.fail(key);
    this.touch(attachment.uniqueName);
  }

  private considerAttach(desire: Desire): void {
    const { uniqueName, node, volume } = desire;
    const key = operationKey(volume, uniqueName, node);
    if (this.operations.isPending(key)) return;
    const known = this.actual.get(uniqueName, node);
    if (known?.confirmed) {
      known.detachRequestedAt = undefined;
      return;
    }
    if (!mayAttachToSeveralNodes(volume) && this.refuseMultiAttach(desire)) return;
    const start = this.operations.start(key, 'attach');
    if (start.started) this.startAttach(desire, key);
    else if (start.retryAt !== undefined) this.lookAgainAt(uniqueName, start.retryAt);
  }

  /**
   * The Multi-Attach guard: a volume for one node that is certainly attached to another stays there. Its pods are told
   * once; no attach is tried, so there is no back-off and no second event.
   * @recorded #multi-attach, #node-move, #slow-goodbye
   */
  private refuseMultiAttach(desire: Desire): boolean {
    const attachedTo = this.actual.of(desire.uniqueName).filter((a) => a.confirmed).map((a) => a.node);
    if (attachedTo.length === 0) return false;
    if (desire.multiAttachTold) return true;
    desire.multiAttachTold = true;
    this.laneFor(desire).send('REFUSE');
    for (const pod of desire.pods.values()) this.tell(pod, 'Warning', 'FailedAttachVolume', multiAttachMessage(this.desired, desire, pod, attachedTo));
    return true;
  }

  private startAttach(desire: Desire, key: OperationKey): void {
    const { node, volume } = desire;
    const pods = [...desire.pods.values()];
    this.laneFor(desire).send('ATTACH');
    attach(this.world, volume, node, (error) => {
      if (error === undefined) this.attached(desire, pods, key);
      else this.attachFailed(desire, pods, key, error);
    });
  }

  /** @recorded #immediate-happy */
  private attached(desire: Desire, pods: readonly PodName[], key: OperationKey): void {
    const { uniqueName, node, volume } = desire;
    const attachment = this.actual.entry(uniqueName, node, volume);
    this.actual.mark(attachment, { confirmed: true, reported: true });
    attachment.detachRequestedAt = undefined;
    this.laneFor(desire).send('ATTACHED');
    for (const pod of pods) this.tell(pod, 'Normal', 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume "${volume.metadata.name}" `);
    this.operations.succeed(key);
    this.unreportedNodes.add(node);
    this.touch(uniqueName);
  }

  /** @recorded #attach-fails, #detach-fails */
  private attachFailed(desire: Desire, pods: readonly PodName[], key: OperationKey, error: string): void {
    const { uniqueName, node, volume } = desire;
    this.desired.moveToEnd(desire);
    if (!this.actual.get(uniqueName, node)) this.learnInUse(uniqueName, node);
    this.actual.mark(this.actual.entry(uniqueName, node, volume), { confirmed: false });
    this.laneFor(desire).send('FAIL');
    for (const pod of pods) this.tell(pod, 'Warning', 'FailedAttachVolume', `AttachVolume.Attach failed for volume "${volume.metadata.name}" : ${error}`);
    this.operations.fail(key);
    this.touch(uniqueName);
  }

  /**
   * A volume counts as mounted until the node's object says otherwise. A successful attach is written into it at once; after
   * a failed one the next report of the node must be waited for, which comes every five minutes even when nothing changes.
   * @modelled pkg/controller/volume/attachdetach/cache, v1.35
   */
  private learnInUse(uniqueName: string, node: string): void {
    this.world.clock.after(this.world.random.between(0, timings.nodeReport), () => {
      const attachment = this.actual.get(uniqueName, node);
      const object = this.world.api.get('Node', undefined, node);
      if (!attachment?.mountedByNode || !object) return;
      attachment.mountedByNode = object.status.volumesInUse?.includes(uniqueName) ?? false;
      this.actual.ask(attachment);
      this.touch(uniqueName);
    });
  }

  /**
   * Once a minute: a volume whose VolumeAttachment is gone or no longer attached counts as detached, and is attached again
   * when a pod still wants it.
   * @modelled ref 5
   */
  private verify(): void {
    const volumes = [...this.doubted];
    this.doubted.clear();
    for (const uniqueName of volumes) for (const attachment of this.actual.of(uniqueName)) this.verifyAttachment(attachment);
  }

  private verifyAttachment(attachment: Attachment): void {
    const { uniqueName, node, volume } = attachment;
    if (!attachment.confirmed || this.operations.isPending(operationKey(volume, uniqueName, node))) return;
    if (this.world.api.get('VolumeAttachment', undefined, attachmentOf(volume, node))?.status.attached) return;
    this.actual.remove(attachment);
    const lane = this.laneOf(uniqueName, node);
    lane.send('LOSE');
    if (this.desired.get(uniqueName, node)) lane.send('WANT');
    this.unreportedNodes.add(node);
    this.touch(uniqueName);
  }

  /** An event about a pod, as far as it still exists. */
  private tell(pod: PodName, type: 'Normal' | 'Warning', reason: string, message: string): void {
    const object = this.world.api.get('Pod', pod.namespace, pod.name);
    const reference: ObjectReference = { apiVersion: 'v1', kind: 'Pod', name: pod.name, namespace: pod.namespace, uid: pod.uid };
    this.recorder.event(object?.metadata.uid === pod.uid ? object : reference, type, reason, message);
  }
}

/** Operations on a volume for one node exclude each other across nodes. */
function operationKey(volume: PersistentVolume, uniqueName: string, node: string): OperationKey {
  return mayAttachToSeveralNodes(volume) ? { volume: uniqueName, node } : { volume: uniqueName };
}

/** A node that is gone is not ready. @modelled ref 12 */
function isReady(node: Node | undefined): boolean {
  return node?.status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;
}

/**
 * external-attacher, one per CSI driver (v4.12.0; ref 6). For a driver without controller publish its trivial handler
 * says at once that a volume is attached; for any other its CSI handler calls ControllerPublishVolume and
 * ControllerUnpublishVolume. It emits no events; what it did stands in the VolumeAttachment.
 */
import { GRPC_CODES, grpcError, type CsiDriver } from '../drivers/driver.ts';
import { withAnnotations, withFinalizer, withoutFinalizer } from '../kernel/api-server.ts';
import { chart, type Lanes } from '../kernel/machine.ts';
import { timings } from '../kernel/timings.ts';
import { WorkQueue, type Work } from '../kernel/work-queue.ts';
import type { World } from '../kernel/world.ts';
import type { AccessMode, StringMap, VolumeAttachment, VolumeError } from '../model/objects.ts';
import { csiAccessMode, volumeCapability } from '../model/volume-identity.ts';
import { attachmentsOf, indexAttachments } from './attachments-of-volume.ts';

/** One VolumeAttachment, as the external attacher sees it. The key is its name. */
export const attacherChart = chart({
  id: 'attacher',
  initial: 'pending',
  states: {
    pending: { on: { PUBLISH: 'publishing', ATTACHED: 'attached', UNPUBLISH: 'unpublishing', GONE: 'gone' } },
    publishing: { on: { ATTACHED: 'attached', FAIL: 'publishFailed', GONE: 'gone' } },
    publishFailed: { on: { PUBLISH: 'publishing', UNPUBLISH: 'unpublishing', GONE: 'gone' } },
    attached: { on: { UNPUBLISH: 'unpublishing', GONE: 'gone' } },
    unpublishing: { on: { GONE: 'gone', FAIL: 'unpublishFailed' } },
    unpublishFailed: { on: { UNPUBLISH: 'unpublishing', GONE: 'gone' } },
    gone: { type: 'final' },
  },
});
type AttacherLanes = Lanes<(typeof attacherChart.states)[number], (typeof attacherChart.transitions)[number]['event']>;

const NODE_ID = 'csi.alpha.kubernetes.io/node-id';
/** --retry-interval-start and --retry-interval-max. */
const BACK_OFF = { startMs: 1_000, maxMs: 300_000 };

/** Starts one attacher for each driver of the cluster. A driver that nobody runs has none: its attachments stay as they are. */
export function startAttachers(world: World): void {
  indexAttachments(world.api);
  const attachers = new Map([...world.drivers.values()].map((driver) => [driver.name, new Attacher(world, driver)]));
  world.api.watch('VolumeAttachment', ({ verb, object, old }) => {
    attachers.get(object.spec.attacher)?.attachmentChanged(verb === 'DELETED' ? undefined : object, old, object.metadata.name);
    if (verb === 'DELETED') attachers.get(object.spec.attacher)?.volumeChanged(object.spec.source.persistentVolumeName);
  });
  world.api.watch('PersistentVolume', ({ verb, object }) => {
    if (verb !== 'DELETED') attachers.get(object.spec.csi?.driver ?? '')?.volumeChanged(object.metadata.name);
  });
}

/** A driver's attacher stands beside its controller: it stands still while that node is paused. @modelled ref 6 */
class Attacher {
  private readonly world: World;
  private readonly driver: CsiDriver;
  private readonly lanes: AttacherLanes;
  private readonly finalizer: string;
  private readonly attachments: WorkQueue;
  private readonly volumes: WorkQueue;

  constructor(world: World, driver: CsiDriver) {
    this.world = world;
    this.driver = driver;
    this.lanes = world.lanes(attacherChart);
    this.finalizer = `external-attacher/${driver.name.replaceAll('.', '-')}`;
    const host = world.pausedNodes.process(() => driver.controllerNode);
    this.attachments = new WorkQueue(world.clock, (name) => this.syncAttachment(name), BACK_OFF, host);
    this.volumes = new WorkQueue(world.clock, (name) => this.syncVolume(name), BACK_OFF, host);
  }

  /** A write that only changes the errors wakes nothing, else a failure would feed itself (controller.go vaUpdated). @recorded #attach-fails */
  attachmentChanged(attachment: VolumeAttachment | undefined, old: VolumeAttachment | undefined, name: string): void {
    if (!attachment) {
      this.lanes.get(name).try('GONE');
      this.lanes.drop(name);
      this.attachments.forget(name);
      return;
    }
    if (old && onlyErrorsChanged(old, attachment)) return;
    this.attachments.add(name);
  }

  volumeChanged(name: string): void {
    const volume = this.world.api.get('PersistentVolume', undefined, name);
    if (volume?.metadata.deletionTimestamp !== undefined && volume.metadata.finalizers?.includes(this.finalizer)) this.volumes.add(name);
  }

  private syncAttachment(name: string): Work | undefined {
    const attachment = this.world.api.get('VolumeAttachment', undefined, name);
    if (!attachment) return undefined;
    if (!this.driver.attaches) return this.syncTrivially(attachment);
    if (attachment.metadata.deletionTimestamp !== undefined) return this.syncDetach(attachment);
    if (!attachment.status.attached) return this.syncAttach(attachment);
    this.attachments.forget(name);
    return undefined;
  }

  /** Trivial handler: attached is whatever is wanted. No finalizers, no node id, nothing on the volume. @recorded #immediate-happy */
  private *syncTrivially({ metadata: { name }, status }: VolumeAttachment): Work {
    if (status.attached) return;
    yield timings.request;
    const done = this.world.api.updateIfPresent('VolumeAttachment', undefined, name, (va) => ({ ...va, status: { ...va.status, attached: true } }));
    if (done) this.lanes.get(name).try('ATTACHED');
  }

  /**
   * CSI handler: volume finalizer → node id and finalizer on the attachment → ControllerPublishVolume → status. The
   * handler's own write puts the attachment into the queue again, so a failing publish is called twice at once, and the
   * second failure's back-off falls behind the first one's: 0, 0.01, 1, 5, 13 s.
   * @recorded #attach-fails, #detach-fails
   */
  private *syncAttach(attachment: VolumeAttachment): Work {
    const { name } = attachment.metadata;
    this.lanes.get(name).try('PUBLISH');
    const answer = yield* this.publish(attachment);
    if ('error' in answer) {
      this.fail(name, 'attachError', answer);
      return;
    }
    yield timings.request;
    const metadata = Object.keys(answer.response).length > 0 ? { attachmentMetadata: answer.response } : {};
    this.world.api.updateIfPresent('VolumeAttachment', undefined, name, (va) => {
      const { attachError: _cleared, ...status } = va.status;
      return { ...va, status: { ...status, attached: true, ...metadata } };
    });
    this.lanes.find(name)?.try('ATTACHED');
    this.attachments.forget(name);
  }

  private *publish(attachment: VolumeAttachment): Generator<number, PublishAnswer, void> {
    const { name } = attachment.metadata;
    const { nodeName, source } = attachment.spec;
    const volume = this.world.api.get('PersistentVolume', undefined, source.persistentVolumeName);
    if (!volume) return failure(`persistentvolume "${source.persistentVolumeName}" not found`);
    if (volume.metadata.deletionTimestamp !== undefined) return failure(`PersistentVolume "${volume.metadata.name}" is marked for deletion`);
    const csi = volume.spec.csi;
    if (!csi) return failure(`persistentvolume "${volume.metadata.name}" is not a CSI volume`);
    if (!volume.metadata.finalizers?.includes(this.finalizer)) {
      yield timings.request;
      this.world.api.updateIfPresent('PersistentVolume', undefined, volume.metadata.name, (pv) => withFinalizer(pv, this.finalizer));
    }
    const modes = combinedAccessMode(volume.spec.accessModes, this.driver.singleNodeMultiWriter);
    if (typeof modes !== 'number') return modes;
    const nodeId = this.nodeIdOf(nodeName);
    if (typeof nodeId !== 'string') return nodeId;
    if (attachment.metadata.annotations?.[NODE_ID] !== nodeId || !attachment.metadata.finalizers?.includes(this.finalizer)) {
      yield timings.request;
      this.world.api.updateIfPresent('VolumeAttachment', undefined, name, (va) => withAnnotations(withFinalizer(va, this.finalizer), { [NODE_ID]: nodeId }));
    }
    yield timings.csiCall;
    const volumeContext = csi.volumeAttributes ?? {};
    const answer = this.driver.controllerPublish({
      volumeId: csi.volumeHandle,
      node: nodeId,
      volumeContext,
      wire: {
        node_id: nodeId,
        volume_capability: volumeCapability(volume, modes, volume.spec.mountOptions),
        ...(Object.keys(volumeContext).length > 0 ? { volume_context: volumeContext } : {}),
        volume_id: csi.volumeHandle,
      },
    });
    return answer.code === 'OK' ? answer : failure(grpcError(answer), GRPC_CODES[answer.code]);
  }

  /** The node's id with this driver, from its CSINode (csi_handler.go, util.go; ref 6). @modelled ref 6 */
  private nodeIdOf(node: string): string | PublishFailure {
    const csiNode = this.world.api.get('CSINode', undefined, node);
    if (!csiNode) return failure(`csinode.storage.k8s.io "${node}" not found`);
    return csiNode.spec.drivers?.find((d) => d.name === this.driver.name)?.nodeID ?? failure(`CSINode ${node} does not contain driver ${this.driver.name}`);
  }

  /** ControllerUnpublishVolume, then the finalizer goes, and the attachment with it. The node id of the annotation does where the node is gone. @recorded #node-move, #detach-fails */
  private *syncDetach(attachment: VolumeAttachment): Work {
    const { name } = attachment.metadata;
    if (!attachment.metadata.finalizers?.includes(this.finalizer)) return;
    this.lanes.get(name).try('UNPUBLISH');
    const problem = yield* this.unpublish(attachment);
    if (problem) {
      this.fail(name, 'detachError', problem);
      return;
    }
    yield timings.request;
    this.world.api.updateIfPresent('VolumeAttachment', undefined, name, (va) => withoutFinalizer(va, this.finalizer));
    this.attachments.forget(name);
  }

  private *unpublish({ spec, metadata }: VolumeAttachment): Generator<number, PublishFailure | undefined, void> {
    const csi = this.world.api.get('PersistentVolume', undefined, spec.source.persistentVolumeName)?.spec.csi;
    if (!csi) return failure(`persistentvolume "${spec.source.persistentVolumeName}" not found`);
    const found = this.nodeIdOf(spec.nodeName);
    const nodeId = typeof found === 'string' ? found : (metadata.annotations?.[NODE_ID] ?? spec.nodeName);
    yield timings.csiCall;
    const answer = this.driver.controllerUnpublish({ volumeId: csi.volumeHandle, node: nodeId, volumeContext: {}, wire: { node_id: nodeId, volume_id: csi.volumeHandle } });
    return answer.code === 'OK' ? undefined : failure(grpcError(answer));
  }

  /**
   * The error is written into the status (whole seconds: the same error within the same second is no write), and the
   * attachment is tried again after its back-off. Only an attach error carries a number.
   * @recorded #attach-fails, #detach-fails
   */
  private fail(name: string, field: 'attachError' | 'detachError', answer: PublishFailure): void {
    this.lanes.find(name)?.try('FAIL');
    this.world.clock.after(timings.request, () => {
      const time = this.world.api.timestamp();
      const error: VolumeError = { ...(field === 'attachError' && answer.errorCode !== undefined ? { errorCode: answer.errorCode } : {}), message: answer.error, time };
      this.world.api.updateIfPresent('VolumeAttachment', undefined, name, (va) => {
        const known = va.status[field];
        return known?.message === error.message && known.time === time ? va : { ...va, status: { ...va.status, [field]: error } };
      });
    });
    this.attachments.addRateLimited(name);
  }

  /** The attacher's finalizer on a volume goes when the volume is being deleted and no attachment names it (ref 6). @recorded #delete-claim-in-use */
  private *syncVolume(name: string): Work {
    yield timings.attacherVolumeFinalizer;
    if (attachmentsOf(this.world.api, name).length > 0) return;
    this.world.api.updateIfPresent('PersistentVolume', undefined, name, (pv) => (pv.metadata.deletionTimestamp === undefined ? pv : withoutFinalizer(pv, this.finalizer)));
  }
}

interface PublishFailure {
  readonly code: 'failed';
  readonly error: string;
  readonly errorCode?: number | undefined;
}
type PublishAnswer = PublishFailure | { readonly code: 'OK'; readonly response: StringMap };

function failure(error: string, errorCode?: number): PublishFailure {
  return { code: 'failed', error, errorCode };
}

/**
 * One CSI access mode for all modes of a volume. ReadWriteOncePod stands alone, and CSI cannot say ReadOnlyMany together
 * with ReadWriteOnce (csi-lib-utils accessmodes, v0.22). @modelled ref 6
 */
function combinedAccessMode(modes: readonly AccessMode[], singleNodeMultiWriter: boolean): number | PublishFailure {
  const has = (mode: AccessMode): boolean => modes.includes(mode);
  if (modes.length === 0) return failure('access modes of the volume are empty');
  if (has('ReadWriteMany')) return csiAccessMode('ReadWriteMany', singleNodeMultiWriter);
  if (has('ReadWriteOncePod')) {
    if (modes.length > 1) return failure('Kubernetes does not support use of ReadWriteOncePod with other access modes on the same PersistentVolume');
    return csiAccessMode('ReadWriteOncePod', singleNodeMultiWriter);
  }
  if (has('ReadOnlyMany') && has('ReadWriteOnce')) return failure('CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume');
  return csiAccessMode(has('ReadOnlyMany') ? 'ReadOnlyMany' : 'ReadWriteOnce', singleNodeMultiWriter);
}

function onlyErrorsChanged(old: VolumeAttachment, now: VolumeAttachment): boolean {
  const errorsDiffer = old.status.attachError !== now.status.attachError || old.status.detachError !== now.status.detachError;
  const sameRest =
    old.status.attached === now.status.attached &&
    old.metadata.deletionTimestamp === now.metadata.deletionTimestamp &&
    old.metadata.annotations === now.metadata.annotations &&
    old.metadata.finalizers === now.metadata.finalizers;
  return errorsDiffer && sameRest;
}

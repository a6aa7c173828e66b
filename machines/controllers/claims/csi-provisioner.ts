/** external-provisioner v6.3.0 beside a CSI driver: how a claim becomes a CreateVolume call and its answer a volume (ref 4). */
import { grpcError, type CreatedVolume, type CreateVolumeRequest, type CsiDriver, type GrpcCode } from '../../drivers/driver.ts';
import { timings } from '../../kernel/timings.ts';
import type { World } from '../../kernel/world.ts';
import type { AccessMode, PersistentVolume, PersistentVolumeClaim, StorageClass, StringMap } from '../../model/objects.ts';
import { binaryQuantity } from '../../model/quantity.ts';
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import { attachmentsOf, indexAttachments } from '../attachments-of-volume.ts';
import { DELETION_SECRET_NAME, DELETION_SECRET_NAMESPACE } from './annotations.ts';
import { write, type Step } from './binder.ts';
import { classSecrets, type ClassSecrets } from './class-secrets.ts';
import { dataSourceOf, faultOfSource, isForeignSource, volumeToCopy, withCloningProtection } from './data-source.ts';
import { requestedBytes } from './matching.ts';
import type { ProvisionedVolume, Provisioner, ProvisioningFailure, ProvisioningState, ProvisionOptions } from './provisioner.ts';
import { volumeNodeAffinity, type Topology, type TopologyFault, type TopologyRequirement } from './topology.ts';
import { wishedZoneOf } from './wished-zone.ts';

const RESERVED_PREFIX = 'csi.storage.k8s.io/';
const FS_TYPE = `${RESERVED_PREFIX}fstype`;

export class CsiProvisioner implements Provisioner {
  readonly name: string;
  readonly identity: string;
  get node(): string | undefined {
    return this.driver.controllerNode;
  }
  /** The sidecar cannot know; the driver answers CreateVolume (csiProvisioner.SupportsBlock). */
  readonly supportsBlock = true;
  readonly addsFinalizer = true;
  readonly retry = { startMs: timings.sidecarRetryStart, maxMs: timings.sidecarRetryMax, failures: 0 };
  readonly failureText = (error: string): string => error;
  private readonly world: World;
  private readonly driver: CsiDriver;
  private readonly topology: Topology;
  /** For what the sidecar says itself, not the library around it. */
  private readonly ownRecorder: EventRecorder;

  constructor(world: World, driver: CsiDriver, topology: Topology) {
    this.world = world;
    this.driver = driver;
    this.topology = topology;
    this.name = driver.name;
    this.identity = driver.controllerIdentity;
    this.ownRecorder = world.recorder('external-provisioner');
    indexAttachments(world.api);
  }

  /** prepareProvision, then CreateVolume, then the volume from its answer. @recorded #immediate-happy, #provision-denied, #bind-reverts */
  *provision(options: ProvisionOptions, calling: () => void): Step<ProvisionedVolume | ProvisioningFailure | 'ignored'> {
    yield timings.csiCall;
    const prepared = yield* this.prepare(options);
    if (prepared === 'ignored' || 'error' in prepared) return prepared;
    calling();
    const answer = this.driver.createVolume(prepared.request);
    if (answer.code !== 'OK') {
      const mayReschedule = prepared.request.requisite !== undefined && options.selectedNode !== undefined;
      const state = stateAfter(answer.code, mayReschedule);
      if (state !== 'inBackground') this.topology.forget(options.claim.metadata.uid);
      return { state, error: grpcError(answer), infeasible: answer.code === 'InvalidArgument' };
    }
    this.topology.forget(options.claim.metadata.uid);
    return volumeFrom(answer.response, options, this.driver.name, prepared.secrets);
  }

  /** The checks before the driver is asked, in the sidecar's order: of several faults the first one is told (prepareProvision). @modelled external-provisioner v6.3.0 pkg/controller/controller.go */
  private *prepare(options: ProvisionOptions): Step<Prepared | ProvisioningFailure | 'ignored'> {
    const { claim, storageClass, selectedNode } = options;
    const parameters = storageClass.parameters ?? {};
    const source = dataSourceOf(claim);
    if (source && isForeignSource(source)) {
      this.ownRecorder.event(claim, 'Normal', 'Provisioning', 'Assuming an external populator will provision the volume');
      return 'ignored';
    }
    const refusal = (source && faultOfSource(claim, source, this.driver)) ?? faultOfClaim(claim) ?? faultOfFsType(parameters);
    if (refusal !== undefined) return { state: 'finished', error: refusal };
    const original = source && volumeToCopy(this.world.api, claim, source, storageClass);
    if (typeof original === 'string') return { state: 'noChange', error: original };
    if (original) yield* this.protectOriginal(claim, source?.name ?? '');
    const required = this.topology.requirements({ driver: this.driver.name, claimName: claim.metadata.name, claimUid: claim.metadata.uid, storageClass, selectedNode });
    if ('error' in required) return faultOfTopology(required);
    const secrets = classSecrets(this.world.api, parameters, claim, options.volumeName);
    if (typeof secrets === 'string') return { state: 'noChange', error: secrets };
    const unknown = unknownReserved(parameters);
    if (unknown !== undefined) return { state: 'finished', error: unknown };
    return { request: createVolumeRequest(this.world, this.driver, options, required, original), secrets };
  }

  private *protectOriginal(claim: PersistentVolumeClaim, name: string): Step<void> {
    const original = this.world.api.get('PersistentVolumeClaim', claim.metadata.namespace, name);
    if (original) yield* write<'PersistentVolumeClaim'>(this.world, original, withCloningProtection);
  }

  /**
   * Deletes the volume; not while a VolumeAttachment of it exists, for drivers that attach (canDeleteVolume).
   * @recorded #claim-recreate, #delete-claim-in-use
   */
  *delete(volume: PersistentVolume, calling: () => void): Step<string | undefined> {
    const attachment = this.driver.attaches ? attachmentsOf(this.world.api, volume.metadata.name)[0] : undefined;
    if (attachment) return `persistentvolume ${volume.metadata.name} is still attached to node ${attachment.spec.nodeName}`;
    yield timings.csiCall;
    calling();
    const volumeId = volume.spec.csi?.volumeHandle ?? '';
    const answer = this.driver.deleteVolume({ volumeId, wire: { volume_id: volumeId } });
    return answer.code === 'OK' ? undefined : grpcError(answer);
  }
}

/**
 * What a gRPC code says about the volume (checkError): the caller's or the connection's end leaves it open, a lack of
 * resources may be a matter of the node, any other code is final. @recorded #bind-reverts, #provision-times-out, #provision-denied
 */
function stateAfter(code: GrpcCode, mayReschedule: boolean): ProvisioningState {
  if (code === 'ResourceExhausted') return mayReschedule ? 'reschedule' : 'finished';
  return code === 'Canceled' || code === 'DeadlineExceeded' || code === 'Unavailable' || code === 'Aborted' ? 'inBackground' : 'finished';
}

/** A selected node that is gone is the scheduler's affair; anything else is tried again. @recorded #chosen-node-has-no-driver */
function faultOfTopology({ error, nodeGone }: TopologyFault): ProvisioningFailure {
  return nodeGone ? { state: 'reschedule', error } : { state: 'noChange', error: `error generating accessibility requirements: ${error}` };
}

/** No driver of this cluster changes a volume by a VolumeAttributesClass, and none makes one by labels. @modelled ref 4.2 */
function faultOfClaim({ spec }: PersistentVolumeClaim): string | undefined {
  if ((spec.volumeAttributesClassName ?? '') !== '') return 'CSI driver does not support VolumeAttributesClass: controller MODIFY_VOLUME capability is not reported';
  return spec.selector === undefined ? undefined : 'claim Selector is not supported';
}

/** @modelled external-provisioner v6.3.0 pkg/controller/controller.go prepareProvision */
function faultOfFsType(parameters: StringMap): string | undefined {
  const fsTypes = Object.keys(parameters).filter((key) => key.toLowerCase() === 'fstype' || key === FS_TYPE);
  return fsTypes.length > 1 ? `fstype specified in parameters with both "fstype" and "${FS_TYPE}" keys` : undefined;
}

/** @modelled external-provisioner v6.3.0 pkg/controller/controller.go removePrefixedParameters */
function unknownReserved(parameters: StringMap): string | undefined {
  const unknown = Object.keys(parameters).find((key) => key.startsWith(RESERVED_PREFIX) && !isKnownReserved(key));
  return unknown === undefined ? undefined : `failed to strip CSI Parameters of prefixed keys: found unknown parameter key "${unknown}" with reserved namespace ${RESERVED_PREFIX}`;
}

function isKnownReserved(key: string): boolean {
  return key === FS_TYPE || /^csi\.storage\.k8s\.io\/(?:provisioner-|controller-publish-|node-stage-|node-publish-|controller-expand-|node-expand-)?secret-(?:name|namespace)$/.test(key);
}

/** CSI access mode numbers; ReadWriteOnce is SINGLE_NODE_MULTI_WRITER for drivers that know it (csi-lib-utils accessmodes). @recorded #immediate-happy, #rwop-second-pod */
export function csiAccessMode(mode: AccessMode, singleNodeMultiWriter: boolean): number {
  switch (mode) {
    case 'ReadWriteOnce':
      return singleNodeMultiWriter ? 7 : 1;
    case 'ReadWriteOncePod':
      return singleNodeMultiWriter ? 6 : 1;
    case 'ReadOnlyMany':
      return 3;
    case 'ReadWriteMany':
      return 5;
  }
}

interface Prepared {
  readonly request: CreateVolumeRequest;
  readonly secrets: ClassSecrets;
}

/** The request, with the fields that a trace shows. @recorded #wait-for-first-consumer */
function createVolumeRequest(world: World, driver: CsiDriver, options: ProvisionOptions, required: TopologyRequirement, original: PersistentVolume | undefined): CreateVolumeRequest {
  const { claim, storageClass, volumeName } = options;
  const block = claim.spec.volumeMode === 'Block';
  const modes = (claim.spec.accessModes ?? []).map((mode) => csiAccessMode(mode, driver.singleNodeMultiWriter));
  const parameters = {
    ...withoutReserved(storageClass.parameters ?? {}),
    [`${RESERVED_PREFIX}pv/name`]: volumeName,
    [`${RESERVED_PREFIX}pvc/name`]: claim.metadata.name,
    [`${RESERVED_PREFIX}pvc/namespace`]: claim.metadata.namespace ?? '',
  };
  const access = block ? { Block: {} } : { Mount: mountOf(storageClass) };
  return {
    name: volumeName,
    requiredBytes: requestedBytes(claim),
    parameters,
    accessMode: modes[0] ?? 0,
    block,
    requisite: required.requisite,
    preferred: required.preferred,
    wishedZone: wishedZoneOf(world, claim),
    copyOf: original?.spec.csi?.volumeHandle,
    wire: {
      accessibility_requirements: { preferred: required.preferred.map((segments) => ({ segments })), requisite: required.requisite.map((segments) => ({ segments })) },
      capacity_range: { required_bytes: requestedBytes(claim) },
      name: volumeName,
      parameters,
      volume_capabilities: modes.map((mode) => ({ AccessType: access, access_mode: { mode } })),
    },
  };
}

function withoutReserved(parameters: StringMap): StringMap {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(RESERVED_PREFIX)));
}

function fsTypeOf(storageClass: StorageClass): string | undefined {
  return Object.entries(storageClass.parameters ?? {}).find(([key]) => key.toLowerCase() === 'fstype' || key === FS_TYPE)?.[1];
}

function mountOf(storageClass: StorageClass): { fs_type?: string; mount_flags?: readonly string[] } {
  const fsType = fsTypeOf(storageClass);
  return { ...(fsType === undefined ? {} : { fs_type: fsType }), ...(storageClass.mountOptions ? { mount_flags: storageClass.mountOptions } : {}) };
}

/** The volume object for what the driver made (ref 4.4). @recorded #immediate-happy */
function volumeFrom(created: CreatedVolume, options: ProvisionOptions, driver: string, { provisioner, references }: ClassSecrets): ProvisionedVolume | ProvisioningFailure {
  const { claim, storageClass } = options;
  const wanted = requestedBytes(claim);
  if (created.capacityBytes !== 0 && created.capacityBytes < wanted) {
    return { state: 'inBackground', error: `created volume capacity ${created.capacityBytes} less than requested capacity ${wanted}` };
  }
  const fsType = claim.spec.volumeMode === 'Block' ? undefined : fsTypeOf(storageClass);
  const nodeAffinity = volumeNodeAffinity(created.accessibleTopology);
  return {
    annotations: { [DELETION_SECRET_NAME]: provisioner?.name ?? '', [DELETION_SECRET_NAMESPACE]: provisioner?.namespace ?? '' },
    spec: {
      accessModes: claim.spec.accessModes ?? [],
      capacity: { storage: binaryQuantity(created.capacityBytes || wanted) },
      csi: { ...references, driver, ...(fsType === undefined ? {} : { fsType }), volumeAttributes: created.volumeContext, volumeHandle: created.volumeId },
      ...(storageClass.mountOptions ? { mountOptions: storageClass.mountOptions } : {}),
      ...(nodeAffinity === undefined ? {} : { nodeAffinity }),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      volumeMode: claim.spec.volumeMode ?? 'Filesystem',
    },
  };
}

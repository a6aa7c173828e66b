/**
 * hostpath.csi.k8s.io (csi-driver-host-path v1.18.0) as the recorded cluster runs it: one node, no controller publish,
 * stage, publish, expand, raw block. A volume is a directory of that node. Its CSI calls are not in traces.
 */
import type { World } from '../kernel/world.ts';
import { hostVolume } from '../model/host-volume.ts';
import type { StringMap } from '../model/objects.ts';
import { copyOf, createBlockVolume, createTree, type FileTree } from '../process/filesystem.ts';
import type { CreatedVolume, CreateVolumeRequest, CsiAnswer, CsiDriver, NodeRequest, PublishRequest } from './driver.ts';

export const HOSTPATH_DRIVER = 'hostpath.csi.k8s.io';
export const HOSTPATH_NODE_KEY = 'topology.hostpath.csi/node';

/** --max-volume-size: 1 TiB. */
const MAX_VOLUME_SIZE = 2 ** 40;
/** The class parameter that picks one of several capacities, of which this driver was given none (ref 11). */
const STORAGE_KIND = 'kind';
const EPHEMERAL = 'csi.storage.k8s.io/ephemeral';
/** Size of an inline volume, which names none. */
const EPHEMERAL_SIZE = 100 * 2 ** 20;

interface HostpathVolume {
  readonly id: string;
  readonly name: string;
  readonly tree: FileTree;
  readonly block: boolean;
  readonly ephemeral: boolean;
  capacityBytes: number;
}

const OK = { code: 'OK', response: undefined } as const;

/** Rules of csi-driver-host-path v1.18.0, pkg/hostpath/controllerserver.go and nodeserver.go. @recorded #immediate-happy, #expand-online */
export class HostpathDriver implements CsiDriver {
  readonly name = HOSTPATH_DRIVER;
  readonly attaches = false;
  readonly expands = true;
  readonly clones = true;
  readonly snapshots = true;
  readonly blockVolumes = true;
  readonly singleNodeMultiWriter = true;
  readonly recorded = false;
  readonly controllerIdentity: string;
  private readonly identity: string;
  private home: string | undefined;
  private readonly world: World;
  private readonly byName = new Map<string, HostpathVolume>();
  private readonly byId = new Map<string, HostpathVolume>();

  constructor(world: World) {
    this.world = world;
    this.controllerIdentity = `${this.name}_csi-hostpathplugin-0_${world.random.uuid()}`;
    this.identity = `${world.api.unixMs - 3_600_000}-3008-${this.name}`;
  }

  /** The node that runs the driver, sidecars and all: the one whose CSINode lists it, whatever becomes of that later. The volume can live nowhere else. */
  get controllerNode(): string | undefined {
    return (this.home ??= [...this.world.api.list('CSINode')].find(({ spec }) => spec.drivers?.some((driver) => driver.name === this.name))?.metadata.name);
  }

  createVolume(request: CreateVolumeRequest): CsiAnswer<CreatedVolume> {
    const { name, parameters, requiredBytes } = request;
    const known = this.byName.get(name);
    if (known && known.capacityBytes < requiredBytes) return { code: 'AlreadyExists', error: `Volume with the same name: ${name} but with different size already exist` };
    if (requiredBytes > MAX_VOLUME_SIZE) return tooLarge(requiredBytes);
    const storageKind = parameters[STORAGE_KIND] ?? '';
    if (storageKind !== '') return { code: 'InvalidArgument', error: `capacity tracking disabled, specifying kind ${JSON.stringify(storageKind)} is invalid` };
    const volume = known ?? this.make({ id: this.world.random.uuid(), name, tree: this.treeFor(request), block: request.block, ephemeral: false, capacityBytes: requiredBytes });
    const context = Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith('csi.storage.k8s.io/')));
    return {
      code: 'OK',
      response: {
        volumeId: volume.id,
        capacityBytes: volume.capacityBytes,
        volumeContext: { ...context, 'storage.kubernetes.io/csiProvisionerIdentity': this.identity },
        accessibleTopology: this.controllerNode === undefined ? [] : [{ [HOSTPATH_NODE_KEY]: this.controllerNode }],
      },
    };
  }

  /** Empty, or a copy of the volume to begin with. @modelled csi-driver-host-path pkg/hostpath/hostpath.go (loadFromVolume) */
  private treeFor({ block, copyOf: original, requiredBytes }: CreateVolumeRequest): FileTree {
    const source = original === undefined ? undefined : this.byId.get(original);
    if (!source) return block ? createBlockVolume(requiredBytes, { mtimeMs: this.world.api.unixMs }) : this.directory();
    const { root } = copyOf(source.tree);
    return { root: root.type === 'block-device' ? { ...root, sizeBytes: requiredBytes } : root };
  }

  private directory(): FileTree {
    return createTree({ mtimeMs: this.world.api.unixMs });
  }

  private make(volume: HostpathVolume): HostpathVolume {
    this.byName.set(volume.name, volume);
    this.byId.set(volume.id, volume);
    return volume;
  }

  /** A volume that is not there has been deleted already. */
  deleteVolume(request: { volumeId: string }): CsiAnswer {
    const volume = this.byId.get(request.volumeId);
    if (volume) this.byName.delete(volume.name);
    this.byId.delete(request.volumeId);
    return OK;
  }
  controllerPublish(): CsiAnswer<StringMap> {
    return { code: 'Unimplemented', error: 'ControllerPublishVolume is not supported' };
  }
  controllerUnpublish(): CsiAnswer {
    return { code: 'Unimplemented', error: 'ControllerUnpublishVolume is not supported' };
  }
  controllerExpand(request: { volumeId: string; requiredBytes: number }): CsiAnswer<{ capacityBytes: number; nodeExpansionRequired: boolean }> {
    if (request.requiredBytes > MAX_VOLUME_SIZE) return tooLarge(request.requiredBytes);
    const volume = this.byId.get(request.volumeId);
    if (!volume) return unknownVolume(request.volumeId);
    volume.capacityBytes = Math.max(volume.capacityBytes, request.requiredBytes);
    return { code: 'OK', response: { capacityBytes: volume.capacityBytes, nodeExpansionRequired: true } };
  }
  nodeStage(request: NodeRequest): CsiAnswer {
    return this.onKnown(request.volumeId);
  }
  nodeUnstage(request: NodeRequest): CsiAnswer {
    return this.onKnown(request.volumeId);
  }
  /** An inline volume is made when it is published. A volume stays what it was made as, directory or device. @modelled ref 11 */
  nodePublish(request: PublishRequest): CsiAnswer {
    const { volumeId, volumeContext } = request;
    if (volumeContext[EPHEMERAL] === 'true' && !this.byId.has(volumeId)) {
      this.make({ id: volumeId, name: `ephemeral-${volumeId}`, tree: this.directory(), block: false, ephemeral: true, capacityBytes: EPHEMERAL_SIZE });
    }
    const volume = this.byId.get(volumeId);
    if (!volume) return unknownVolume(volumeId);
    if (volume.block === request.block) return OK;
    return { code: 'InvalidArgument', error: request.block ? 'cannot publish a non-block volume as block volume' : 'cannot publish a non-mount volume as mount volume' };
  }
  nodeUnpublish(request: PublishRequest): CsiAnswer {
    const answer = this.onKnown(request.volumeId);
    if (this.byId.get(request.volumeId)?.ephemeral) this.deleteVolume(request);
    return answer;
  }
  nodeExpand(request: NodeRequest): CsiAnswer {
    return this.onKnown(request.volumeId);
  }

  /** A handle that this driver never made, or has deleted, does not exist for it. @modelled ref 11 */
  private onKnown(volumeId: string): CsiAnswer {
    return this.byId.has(volumeId) ? OK : unknownVolume(volumeId);
  }

  data(volumeId: string): FileTree | undefined {
    return this.byId.get(volumeId)?.tree;
  }
  mountSource(volumeId: string): string {
    return `${hostVolume(this.world.api.get('Node', undefined, this.controllerNode ?? ''))}/lib/csi-hostpath-data/${volumeId}`;
  }
}

function unknownVolume(volumeId: string): { readonly code: 'NotFound'; readonly error: string } {
  return { code: 'NotFound', error: `volume id ${volumeId} does not exist in the volumes list` };
}

/** @modelled ref 11 */
function tooLarge(bytes: number): { readonly code: 'OutOfRange'; readonly error: string } {
  return { code: 'OutOfRange', error: `Requested capacity ${bytes} exceeds maximum allowed ${MAX_VOLUME_SIZE}` };
}

/**
 * hostpath.csi.k8s.io (csi-driver-host-path v1.18.0) as the recorded cluster runs it: one node, no controller publish,
 * stage, publish, expand, raw block. A volume is a directory of that node. Its CSI calls are not in traces.
 */
import type { World } from '../kernel/world.ts';
import type { StringMap } from '../model/objects.ts';
import { createTree, type FileTree } from '../process/filesystem.ts';
import type { CreatedVolume, CreateVolumeRequest, CsiAnswer, CsiDriver } from './driver.ts';

export const HOSTPATH_DRIVER = 'hostpath.csi.k8s.io';
export const HOSTPATH_NODE_KEY = 'topology.hostpath.csi/node';

interface HostpathVolume {
  readonly id: string;
  readonly tree: FileTree;
  capacityBytes: number;
}

const OK = { code: 'OK', response: undefined } as const;

export class HostpathDriver implements CsiDriver {
  readonly name = HOSTPATH_DRIVER;
  readonly attaches = false;
  readonly expands = true;
  readonly blockVolumes = true;
  readonly singleNodeMultiWriter = true;
  readonly recorded = false;
  readonly controllerIdentity: string;
  private readonly identity: string;
  private readonly world: World;
  private readonly byName = new Map<string, HostpathVolume>();
  private readonly byId = new Map<string, HostpathVolume>();

  constructor(world: World) {
    this.world = world;
    this.controllerIdentity = `${this.name}_csi-hostpathplugin-0_${world.random.uuid()}`;
    this.identity = `${world.api.unixMs - 3_600_000}-3008-${this.name}`;
  }

  /** The node that runs the driver: the one whose CSINode lists it. The volume can live nowhere else. */
  private get node(): string | undefined {
    for (const csiNode of this.world.api.list('CSINode')) {
      if (csiNode.spec.drivers?.some((driver) => driver.name === this.name)) return csiNode.metadata.name;
    }
    return undefined;
  }

  createVolume(request: CreateVolumeRequest): CsiAnswer<CreatedVolume> {
    let volume = this.byName.get(request.name);
    if (!volume) {
      volume = { id: this.world.random.uuid(), tree: createTree(), capacityBytes: request.requiredBytes };
      this.byName.set(request.name, volume);
      this.byId.set(volume.id, volume);
    }
    const context = Object.fromEntries(Object.entries(request.parameters).filter(([key]) => !key.startsWith('csi.storage.k8s.io/')));
    return {
      code: 'OK',
      response: {
        volumeId: volume.id,
        capacityBytes: volume.capacityBytes,
        volumeContext: { ...context, 'storage.kubernetes.io/csiProvisionerIdentity': this.identity },
        accessibleTopology: this.node === undefined ? [] : [{ [HOSTPATH_NODE_KEY]: this.node }],
      },
    };
  }

  deleteVolume(request: { volumeId: string }): CsiAnswer {
    this.byId.delete(request.volumeId);
    return OK;
  }
  controllerPublish(): CsiAnswer<StringMap> {
    return { code: 'Unimplemented', error: '' };
  }
  controllerUnpublish(): CsiAnswer {
    return { code: 'Unimplemented', error: '' };
  }
  controllerExpand(request: { volumeId: string; requiredBytes: number }): CsiAnswer<{ capacityBytes: number; nodeExpansionRequired: boolean }> {
    const volume = this.byId.get(request.volumeId);
    if (!volume) return { code: 'NotFound', error: `volume id ${request.volumeId} does not exist in the volumes list` };
    volume.capacityBytes = Math.max(volume.capacityBytes, request.requiredBytes);
    return { code: 'OK', response: { capacityBytes: volume.capacityBytes, nodeExpansionRequired: true } };
  }
  nodeStage(): CsiAnswer {
    return OK;
  }
  nodeUnstage(): CsiAnswer {
    return OK;
  }
  /** A handle that this driver never made does not exist for it (csi-driver-host-path nodeserver.go: volume lookup). */
  nodePublish(request: { volumeId: string }): CsiAnswer {
    if (!this.byId.has(request.volumeId)) return { code: 'NotFound', error: `volume id ${request.volumeId} does not exist in the volumes list` };
    return OK;
  }
  nodeUnpublish(): CsiAnswer {
    return OK;
  }
  nodeExpand(): CsiAnswer {
    return OK;
  }

  data(volumeId: string): FileTree | undefined {
    return this.byId.get(volumeId)?.tree;
  }
  mountSource(volumeId: string): string {
    return `/var/lib/docker/volumes/csi-hostpath-data/${volumeId}`;
  }
}

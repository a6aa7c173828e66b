/**
 * disk.csi.after-bound.dev, this project's own driver (traces' README): a volume is a directory that all nodes share,
 * lives in one zone, is attached to one node at a time, and fails as its class asks (`fail.<Method>`).
 */
import { Random } from '../kernel/random.ts';
import type { World } from '../kernel/world.ts';
import { sha256 } from '../model/sha256.ts';
import type { StringMap } from '../model/objects.ts';
import { createTree, type FileTree } from '../process/filesystem.ts';
import type { CreatedVolume, CreateVolumeRequest, CsiAnswer, CsiDriver, CsiMethod, NodeRequest, PublishRequest } from './driver.ts';
import { FaultCounter } from './faults.ts';

export const ZONAL_DRIVER = 'disk.csi.after-bound.dev';
export const ZONE_KEY = `topology.${ZONAL_DRIVER}/zone`;

interface ZonalVolume {
  readonly id: string;
  readonly zone: string | undefined;
  readonly context: StringMap;
  readonly tree: FileTree;
  attachedTo: string | undefined;
}

const OK = { code: 'OK', response: undefined } as const;

export class ZonalDriver implements CsiDriver {
  readonly name = ZONAL_DRIVER;
  readonly attaches = true;
  readonly expands = false;
  readonly clones = false;
  readonly snapshots = false;
  readonly blockVolumes = false;
  readonly singleNodeMultiWriter = true;
  readonly recorded = true;
  readonly controllerIdentity: string;
  private readonly identity: string;
  private readonly world: World;
  private readonly faults = new FaultCounter();
  private readonly volumes = new Map<string, ZonalVolume>();

  constructor(world: World) {
    this.world = world;
    const id = world.random.uuid();
    this.controllerIdentity = `${this.name}_${podName(id)}_${id}`;
    this.identity = `${world.api.unixMs - 3_600_000}-365-${this.name}`;
  }

  /** Its controller pods run on the node of the control plane (traces' README). */
  get controllerNode(): string | undefined {
    for (const node of this.world.api.list('Node')) {
      if (node.spec.taints?.some((taint) => taint.key === 'node-role.kubernetes.io/control-plane')) return node.metadata.name;
    }
    return undefined;
  }

  /** No raw block (traces' README); which code refuses it no recording shows. @recorded #wait-for-first-consumer */
  createVolume(request: CreateVolumeRequest): CsiAnswer<CreatedVolume> {
    return this.call('CreateVolume', 'controller', request.wire, request.parameters, request.name, () => {
      if (request.block) return { code: 'InvalidArgument', error: 'block volumes are not supported' };
      const id = `vol-${sha256(request.name).slice(0, 8)}`;
      const volume = this.volumes.get(id) ?? this.make(id, request);
      return {
        code: 'OK',
        response: {
          volumeId: id,
          capacityBytes: request.requiredBytes,
          volumeContext: volume.context,
          accessibleTopology: volume.zone === undefined ? [] : [{ [ZONE_KEY]: volume.zone }],
        },
      };
    });
  }

  /** The volume's zone is the first preferred one; a wish is granted where the requisite zones allow it. */
  private make(id: string, request: CreateVolumeRequest): ZonalVolume {
    const allowed = (request.requisite ?? []).map((segments) => segments[ZONE_KEY]);
    const wished = request.wishedZone !== undefined && allowed.includes(request.wishedZone) ? request.wishedZone : undefined;
    const context: Record<string, string> = {};
    for (const key in request.parameters) if (!key.startsWith('csi.storage.k8s.io/')) context[key] = request.parameters[key] ?? '';
    context['storage.kubernetes.io/csiProvisionerIdentity'] = this.identity;
    const volume: ZonalVolume = {
      id,
      zone: wished ?? request.preferred?.[0]?.[ZONE_KEY],
      context,
      tree: createTree({ mtimeMs: this.world.api.unixMs }),
      attachedTo: undefined,
    };
    this.volumes.set(id, volume);
    return volume;
  }

  deleteVolume(request: { volumeId: string; wire: Readonly<Record<string, unknown>> }): CsiAnswer {
    return this.call('DeleteVolume', 'controller', request.wire, this.contextOf(request.volumeId), request.volumeId, () => {
      this.volumes.delete(request.volumeId);
      return OK;
    });
  }

  /** Refuses a second node while the first has the volume: the last guard of the data (#detach-fails). */
  controllerPublish(request: NodeRequest): CsiAnswer<StringMap> {
    return this.call('ControllerPublishVolume', 'controller', request.wire, this.contextOf(request.volumeId, request.volumeContext), request.volumeId, () => {
      const volume = this.known(request.volumeId, request.volumeContext);
      if (volume.attachedTo !== undefined && volume.attachedTo !== request.node) {
        return { code: 'FailedPrecondition', error: `volume ${volume.id} is attached to node ${volume.attachedTo}` };
      }
      volume.attachedTo = request.node;
      return { code: 'OK', response: { devicePath: `/dev/disk/by-id/${volume.id}` } };
    });
  }

  controllerUnpublish(request: NodeRequest): CsiAnswer {
    return this.call('ControllerUnpublishVolume', 'controller', request.wire, this.contextOf(request.volumeId), request.volumeId, () => {
      const volume = this.volumes.get(request.volumeId);
      if (volume?.attachedTo === request.node) volume.attachedTo = undefined;
      return OK;
    });
  }

  controllerExpand(): CsiAnswer<{ capacityBytes: number; nodeExpansionRequired: boolean }> {
    return { code: 'Unimplemented', error: 'unknown method ControllerExpandVolume' };
  }

  nodeStage(request: NodeRequest): CsiAnswer {
    return this.onNode('NodeStageVolume', request, () => this.known(request.volumeId, request.volumeContext));
  }
  nodeUnstage(request: NodeRequest): CsiAnswer {
    return this.onNode('NodeUnstageVolume', request);
  }
  nodePublish(request: PublishRequest): CsiAnswer {
    return this.onNode('NodePublishVolume', request, () => this.known(request.volumeId, request.volumeContext));
  }
  nodeUnpublish(request: PublishRequest): CsiAnswer {
    return this.onNode('NodeUnpublishVolume', request);
  }
  nodeExpand(): CsiAnswer {
    return { code: 'Unimplemented', error: 'unknown method NodeExpandVolume' };
  }

  data(volumeId: string): FileTree | undefined {
    return this.volumes.get(volumeId)?.tree;
  }
  mountSource(volumeId: string): string {
    return `/csi-shared/volumes/${volumeId}`;
  }

  private onNode(method: CsiMethod, request: NodeRequest, act: () => unknown = () => undefined): CsiAnswer {
    const context = this.contextOf(request.volumeId, request.volumeContext);
    return this.call(method, request.node, request.wire, context, request.volumeId, () => {
      act();
      return OK;
    });
  }

  /** A volume that somebody made by hand (a static PersistentVolume names it) exists from its first use. */
  private known(id: string, context: StringMap): ZonalVolume {
    let volume = this.volumes.get(id);
    if (!volume) this.volumes.set(id, (volume = { id, zone: undefined, context, tree: createTree({ mtimeMs: this.world.api.unixMs }), attachedTo: undefined }));
    return volume;
  }

  private contextOf(id: string, context?: StringMap): StringMap {
    const stored = this.volumes.get(id)?.context;
    if (stored === undefined || stored === context) return context ?? {};
    return context === undefined ? stored : { ...stored, ...context };
  }

  private call<T>(
    method: CsiMethod,
    node: string,
    wire: Readonly<Record<string, unknown>>,
    parameters: StringMap,
    volume: string,
    answer: () => CsiAnswer<T>,
  ): CsiAnswer<T> {
    const fault = this.faults.next(parameters, method, volume, node);
    const given: CsiAnswer<T> = fault ? { code: fault.code, error: fault.message } : answer();
    this.world.trace.csi({ driver: this.name, node, method, request: wire, code: given.code, error: given.code === 'OK' ? '' : given.error });
    return given;
  }
}

/** A Deployment's pod, as the recorded components call themselves; its letters come from the id, since the pod is older than the run. @recorded #fsgroup */
function podName(id: string): string {
  const letters = new Random(Number.parseInt(id.slice(0, 8), 16));
  return `disk-controller-${letters.suffix(10)}-${letters.suffix(5)}`;
}

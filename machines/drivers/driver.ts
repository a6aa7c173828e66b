/**
 * A CSI driver as its callers see it: the CSI methods, plain values in and out. Whether and how a call fails is the
 * driver's own affair; the sidecars and the kubelet only see the answer.
 */
import type { StringMap } from '../model/objects.ts';
import type { FileTree } from '../process/filesystem.ts';

/** gRPC status codes that CSI uses, by name; the numbers stand in VolumeAttachment.status.attachError.errorCode. */
export const GRPC_CODES = {
  OK: 0,
  Canceled: 1,
  Unknown: 2,
  InvalidArgument: 3,
  DeadlineExceeded: 4,
  NotFound: 5,
  AlreadyExists: 6,
  PermissionDenied: 7,
  ResourceExhausted: 8,
  FailedPrecondition: 9,
  Aborted: 10,
  OutOfRange: 11,
  Unimplemented: 12,
  Internal: 13,
  Unavailable: 14,
  DataLoss: 15,
  Unauthenticated: 16,
} as const;
export type GrpcCode = keyof typeof GRPC_CODES;

export type CsiMethod =
  | 'CreateVolume'
  | 'DeleteVolume'
  | 'ControllerPublishVolume'
  | 'ControllerUnpublishVolume'
  | 'ControllerExpandVolume'
  | 'NodeStageVolume'
  | 'NodeUnstageVolume'
  | 'NodePublishVolume'
  | 'NodeUnpublishVolume'
  | 'NodeExpandVolume';

export type CsiAnswer<T = undefined> =
  | { readonly code: 'OK'; readonly response: T }
  | { readonly code: Exclude<GrpcCode, 'OK'>; readonly error: string };

/** The text of a failed call as Go's gRPC status prints it. */
export function grpcError(answer: { readonly code: string; readonly error: string }): string {
  return `rpc error: code = ${answer.code} desc = ${answer.error}`;
}

export interface CreateVolumeRequest {
  readonly name: string;
  readonly requiredBytes: number;
  readonly parameters: StringMap;
  readonly accessMode: number;
  readonly block: boolean;
  /** Preferred topologies, best first, as segments; undefined without topology. */
  readonly preferred?: readonly StringMap[] | undefined;
  readonly requisite?: readonly StringMap[] | undefined;
  /** The full request as the trace shows it. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** The volume whose bytes the new one begins with. */
  readonly copyOf?: string | undefined;
  /** A free choice of the driver, handed in by `--like`; used only when the request allows it. */
  readonly wishedZone?: string | undefined;
}
export interface CreatedVolume {
  readonly volumeId: string;
  readonly capacityBytes: number;
  readonly volumeContext: StringMap;
  readonly accessibleTopology: readonly StringMap[];
}
export interface NodeRequest {
  readonly volumeId: string;
  readonly node: string;
  readonly volumeContext: StringMap;
  readonly wire: Readonly<Record<string, unknown>>;
}
export interface PublishRequest extends NodeRequest {
  readonly targetPath: string;
  readonly readOnly: boolean;
  /** As a raw device. */
  readonly block: boolean;
}

export interface CsiDriver {
  readonly name: string;
  /** ControllerPublish/Unpublish: without it the attacher's trivial handler answers (ref 6). */
  readonly attaches: boolean;
  readonly expands: boolean;
  /** CLONE_VOLUME and CREATE_DELETE_SNAPSHOT: whether a volume can be made from another one, or from a snapshot. */
  readonly clones: boolean;
  readonly snapshots: boolean;
  readonly blockVolumes: boolean;
  /** SINGLE_NODE_MULTI_WRITER: decides the access mode number of requests (7 for ReadWriteOnce). */
  readonly singleNodeMultiWriter: boolean;
  /** CSI calls of this driver stand in traces (the recorder sits inside the zonal driver only). */
  readonly recorded: boolean;
  /** The pod that carries the driver's controller sidecars; its name is part of event sources. */
  readonly controllerIdentity: string;
  /** The node on which that pod runs: the sidecars stand still when it does. Undefined when the driver runs nowhere. */
  readonly controllerNode: string | undefined;

  createVolume(request: CreateVolumeRequest): CsiAnswer<CreatedVolume>;
  deleteVolume(request: { readonly volumeId: string; readonly wire: Readonly<Record<string, unknown>> }): CsiAnswer;
  controllerPublish(request: NodeRequest): CsiAnswer<StringMap>;
  controllerUnpublish(request: NodeRequest): CsiAnswer;
  controllerExpand(request: { readonly volumeId: string; readonly requiredBytes: number }): CsiAnswer<{ readonly capacityBytes: number; readonly nodeExpansionRequired: boolean }>;
  nodeStage(request: NodeRequest): CsiAnswer;
  nodeUnstage(request: NodeRequest): CsiAnswer;
  nodePublish(request: PublishRequest): CsiAnswer;
  nodeUnpublish(request: PublishRequest): CsiAnswer;
  nodeExpand(request: NodeRequest): CsiAnswer;

  /** The bytes of a volume: what a container sees at the mount point. Undefined when the volume does not exist. */
  data(volumeId: string): FileTree | undefined;
  /** The source directory of a volume in a mountinfo row. */
  mountSource(volumeId: string): string;
}

/**
 * Faults on request (traces' README): a class parameter `fail.<Method>: "<Code> x<N>: <message>"` makes that CSI
 * method fail N times for a volume with that gRPC code and message; N = 0 means for ever. Node methods count per node.
 */
import type { StringMap } from '../model/objects.ts';
import { GRPC_CODES, type CsiMethod, type GrpcCode } from './driver.ts';

export interface Fault {
  readonly code: Exclude<GrpcCode, 'OK'>;
  /** How often it fails; 0: for ever. */
  readonly times: number;
  readonly message: string;
}

/** The parameter that makes a method fail. */
const FAULT_KEYS: Readonly<Record<CsiMethod, string>> = {
  CreateVolume: 'fail.CreateVolume',
  DeleteVolume: 'fail.DeleteVolume',
  ControllerPublishVolume: 'fail.ControllerPublishVolume',
  ControllerUnpublishVolume: 'fail.ControllerUnpublishVolume',
  ControllerExpandVolume: 'fail.ControllerExpandVolume',
  NodeStageVolume: 'fail.NodeStageVolume',
  NodeUnstageVolume: 'fail.NodeUnstageVolume',
  NodePublishVolume: 'fail.NodePublishVolume',
  NodeUnpublishVolume: 'fail.NodeUnpublishVolume',
  NodeExpandVolume: 'fail.NodeExpandVolume',
};

/** The fault that the parameters ask for, or undefined. A text that is not of the form above makes every call fail with that sentence. */
function faultOf(parameters: StringMap, method: CsiMethod): Fault | undefined {
  const text = parameters[FAULT_KEYS[method]];
  if (text === undefined) return undefined;
  const match = /^(\w+) x(\d+): (.*)$/s.exec(text);
  const code = match?.[1];
  if (!match || code === undefined || !Object.hasOwn(GRPC_CODES, code) || code === 'OK') {
    return { code: 'InvalidArgument', times: 0, message: `fail.${method}: "${text}" is not "<gRPC code> x<times>: <message>"` };
  }
  return { code: code as Fault['code'], times: Number(match[2]), message: match[3] ?? '' };
}

/** Counts how often each method has failed for each volume (and node), and says whether the next call fails. */
export class FaultCounter {
  private readonly counts = new Map<string, number>();

  /** The fault that this call meets, or undefined. `where`: the node of a node method, `controller` for the others. */
  next(parameters: StringMap, method: CsiMethod, volume: string, where: string): Fault | undefined {
    const fault = faultOf(parameters, method);
    if (!fault) return undefined;
    const id = `${method}|${volume}|${where}`;
    const done = this.counts.get(id) ?? 0;
    if (fault.times !== 0 && done >= fault.times) return undefined;
    this.counts.set(id, done + 1);
    return fault;
  }
}

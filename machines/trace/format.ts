/**
 * The trace: what a run is. The simulated cluster and the recorder of a real cluster write the same format
 * (`after-bound/trace@1`); everything that shows or judges a run reads only this.
 */
import type { AnyObject } from '../model/objects.ts';
import type { Scenario } from './scenario.ts';

export const TRACE_FORMAT = 'after-bound/trace@1';

/** Versions of the cluster that a trace was made on. `producer` is 'simulated' only in our own traces. */
export interface ClusterVersions {
  readonly name: string;
  readonly kubernetes: string;
  readonly kind?: string | undefined;
  readonly producer?: 'simulated' | undefined;
  readonly csi: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

interface Timed {
  /** Seconds since the first step, millisecond precision. */
  readonly t: number;
}
export interface StepRecord extends Timed {
  readonly type: 'step';
  readonly step: number;
  readonly verb: 'apply' | 'delete' | 'patch' | 'wait' | 'settle' | 'run' | 'exec' | 'node';
  /** The step's own fields: manifest; target, name; merge; for, path, equals, condition, status, event, on, count, gone, timeout;
   * seconds; command, code, text; pod, sh, stdout, stderr, code; node, action, taint. */
  readonly [field: string]: unknown;
}
/** kubectl's text when the API server refused an apply or a patch. */
export interface OutputRecord extends Timed {
  readonly type: 'output';
  readonly step: number;
  readonly code: number;
  readonly text: string;
}
export interface WatchRecord extends Timed {
  readonly type: 'watch';
  readonly verb: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: AnyObject;
}
export interface CsiRecord extends Timed {
  readonly type: 'csi';
  readonly driver: string;
  /** `controller` or a node's name. */
  readonly node: string;
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly code: string;
  readonly error: string;
}
/** Only in recorded traces: one line of a component's log. */
export interface LogRecord extends Timed {
  readonly type: 'log';
  readonly component: 'kubelet' | 'scheduler' | 'controller-manager';
  readonly node?: string | null | undefined;
  readonly severity: string;
  readonly source: string;
  readonly text: string;
}
/** Only in simulated traces: one transition of a machine. */
export interface StateRecord extends Timed {
  readonly type: 'state';
  /** The machine's id, a key of `machineCatalogue`. */
  readonly machine: string;
  /** What the machine instance is about, e.g. `ns/claim`, `ns/pod/volume`, `node/volume-handle`. */
  readonly key: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
}
export type TraceRecord = StepRecord | OutputRecord | WatchRecord | CsiRecord | LogRecord | StateRecord;

export interface Trace {
  readonly format: typeof TRACE_FORMAT;
  readonly scenario: Scenario;
  readonly recordedAt: string;
  readonly cluster: ClusterVersions;
  /** null, or the step that timed out and why. */
  readonly failed: unknown;
  /** Nodes, CSINodes, CSIDrivers and classes that stood before the first step. */
  readonly stage: readonly AnyObject[];
  readonly records: readonly TraceRecord[];
}

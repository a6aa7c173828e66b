/** The scenario: what a person does to a cluster. One file drives the lesson, the recorder and the test. */
import type { Json } from '../model/objects.ts';

export interface ApplyStep { readonly apply: string }
export interface DeleteStep { readonly delete: { readonly target: string; readonly wait?: boolean | undefined; readonly force?: boolean | undefined } }
export interface PatchStep { readonly patch: { readonly target: string; readonly merge: Json } }
export interface WaitStep {
  readonly wait: {
    readonly for?: string | undefined;
    readonly path?: string | undefined;
    readonly equals?: string | number | boolean | undefined;
    readonly condition?: string | undefined;
    readonly status?: string | undefined;
    readonly event?: string | undefined;
    readonly on?: string | undefined;
    readonly count?: number | undefined;
    readonly gone?: string | undefined;
    /** Seconds. */
    readonly timeout?: number | undefined;
  };
}
/** Seconds that the cluster is left alone. */
export interface SettleStep { readonly settle: number }
export interface RunStep { readonly run: string }
export interface ExecStep { readonly exec: { readonly pod: string; readonly sh: string; readonly container?: string | undefined } }
export interface NodeStep { readonly node: { readonly name: string; readonly action: 'pause' | 'unpause' | 'taint' | 'untaint'; readonly taint?: string | undefined } }
export type Step = ApplyStep | DeleteStep | PatchStep | WaitStep | SettleStep | RunStep | ExecStep | NodeStep;
export type Verb = 'apply' | 'delete' | 'patch' | 'wait' | 'settle' | 'run' | 'exec' | 'node';

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly covers: readonly string[];
  readonly namespace: string;
  readonly steps: readonly Step[];
}

/**
 * The person at the keyboard: takes the steps of a scenario one after the other, as the recorder of the real cluster
 * does (traces' README). A step costs the time that kubectl costs; a wait looks every 0.1 s.
 */
import type { Json, Kind } from '../model/objects.ts';
import { kindOfWord, KINDS } from '../model/kinds.ts';
import { ApiError } from '../kernel/api-error.ts';
import { refusalText } from './kubectl-errors.ts';
import { applyManifest, type LastApplied } from './apply.ts';
import { timings } from '../kernel/timings.ts';
import type { World } from '../kernel/world.ts';
import type { Scenario, Step, Verb, WaitStep } from '../trace/scenario.ts';
import type { FillingReader } from './manifest-document.ts';
import { patched } from './patched.ts';
import { waitMet } from './wait.ts';
import { createHands } from './cluster-hands.ts';
import type { Hands } from './hands.ts';
import type { SeldomCommands } from './seldom-commands.ts';

/** kubectl apply of a text without any object. @modelled k8s.io/kubectl pkg/cmd/apply/apply.go, v0.35 */
const NOTHING_TO_APPLY = 'error: no objects passed to apply\n';
const KINDS_IN_WORDS = Object.values(KINDS).map(({ singular }) => singular).join(', ');

/** A step that could not be done: names the step, says what was expected. */
export class StepError extends Error {
  readonly step: number;

  constructor(step: number, message: string) {
    super(`step ${step}: ${message}`);
    this.name = 'StepError';
    this.step = step;
  }
}

/** null, or the wait that timed out (the trace's `failed`). */
export type Failed = null | { readonly step: number; readonly message: string };

export class Person {
  private readonly world: World;
  private readonly scenario: Scenario;
  private readonly readManifest: FillingReader;
  private readonly hands: Hands;
  private readonly lastApplied: LastApplied = new Map();

  constructor(world: World, scenario: Scenario, readManifest: FillingReader, seldom: SeldomCommands | undefined) {
    this.world = world;
    this.scenario = scenario;
    this.readManifest = readManifest;
    this.hands = createHands(world, this.lastApplied, seldom);
  }

  /** Takes all steps. Returns null, or the wait that timed out, after which no further step is taken. */
  takeAll(): Failed {
    for (const [index, step] of this.scenario.steps.entries()) {
      const failed = this.take(index, step);
      if (failed) return failed;
    }
    return null;
  }

  private take(index: number, step: Step): Failed {
    switch (verbOf(step)) {
      case 'apply':
        return this.apply(index, (step as { apply: string }).apply);
      case 'delete':
        return this.remove(index, (step as { delete: { target: string; wait?: boolean; force?: boolean } }).delete);
      case 'patch':
        return this.patch(index, (step as { patch: { target: string; merge: Json } }).patch);
      case 'wait':
        return this.wait(index, (step as WaitStep).wait);
      case 'settle':
        return this.settle(index, (step as { settle: number }).settle);
      case 'run':
        return this.run(index, (step as { run: string }).run);
      case 'exec':
        return this.exec(index, (step as { exec: { pod: string; sh: string; container?: string } }).exec);
      case 'node':
        return this.node(index, (step as { node: { name: string; action: string; taint?: string } }).node);
    }
  }

  private pass(ms: number): void {
    this.world.clock.runUntil(this.world.clock.now + ms);
  }

  private apply(index: number, text: string): Failed {
    const manifest = this.resolveVariables(index, text);
    // The volume of a claim may become another one while kubectl starts; what is applied was filled in before.
    const objects = this.documents(index, text);
    this.world.trace.step(index, 'apply', { manifest });
    this.pass(timings.kubectlApply);
    let refusals = objects.length === 0 ? NOTHING_TO_APPLY : '';
    for (const [nth, object] of objects.entries()) {
      if (nth > 0) this.pass(timings.kubectlNextObject);
      refusals += applyManifest(this.world.api, object, this.scenario.namespace, this.lastApplied) ?? '';
    }
    if (refusals !== '') this.world.trace.output(index, 1, refusals);
    this.pass(timings.kubectlReturn);
    return null;
  }

  private documents(index: number, text: string): unknown[] {
    const documents = this.readManifest(text, (part) => this.resolveVariables(index, part));
    for (const { line, problem } of documents) if (problem !== undefined) throw new StepError(index, `the manifest is no valid YAML: line ${line}: ${problem}`);
    return documents.map(({ value }) => value).filter((value) => value !== null);
  }

  private remove(index: number, options: { target: string; wait?: boolean; force?: boolean }): Failed {
    const target = this.target(index, options.target);
    this.world.trace.step(index, 'delete', { target: options.target, name: target.name });
    this.pass(timings.kubectlDelete);
    if (target.name === '') return this.nothingThere(index, options.target);
    const object = this.world.api.get(target.kind, this.scenario.namespace, target.name);
    // The recorder writes no output for a delete, not even for one of an object that is gone already.
    if (object) {
      this.world.api.delete(target.kind, this.scenario.namespace, target.name, options.force ? { graceSeconds: 0 } : {});
      if (options.wait !== false) this.waitGone(target.kind, target.name, object.metadata.uid);
    }
    this.pass(timings.kubectlReturn);
    return null;
  }

  /** `pv-of/CLAIM` or `va-of/CLAIM`, and the claim has none. */
  private nothingThere(index: number, target: string): Failed {
    this.world.trace.output(index, 1, `error: ${target} names nothing: the claim has no volume, or the volume no attachment, at this time\n`);
    this.pass(timings.kubectlReturn);
    return null;
  }

  /** kubectl delete --wait: until this very object is gone; the recorder gives it as long as it takes, up to 180 s. */
  private waitGone(kind: Kind, name: string, uid: string): void {
    const end = this.world.clock.now + 180_000;
    while (this.world.clock.now < end && this.world.api.get(kind, this.scenario.namespace, name)?.metadata.uid === uid) this.stepClock(end);
  }

  private stepClock(end: number): void {
    const next = this.world.clock.nextAt();
    if (next === undefined || next > end) this.world.clock.runUntil(end);
    else this.world.clock.runUntil(next);
  }

  private patch(index: number, options: { target: string; merge: Json }): Failed {
    const target = this.target(index, options.target);
    this.world.trace.step(index, 'patch', { target: options.target, name: target.name, merge: options.merge });
    this.pass(timings.kubectlPatch);
    if (target.name === '') return this.nothingThere(index, options.target);
    this.guarded(index, () => {
      this.world.api.update(target.kind, this.scenario.namespace, target.name, (object) => patched(object, { type: 'merge', merge: options.merge }));
    });
    this.pass(timings.kubectlReturn);
    return null;
  }

  private wait(index: number, wait: WaitStep['wait']): Failed {
    const { timeout = 60, ...condition } = wait;
    for (const text of [wait.for, wait.on, wait.gone]) if (text !== undefined) this.target(index, text);
    this.world.trace.step(index, 'wait', { ...condition, timeout });
    const end = this.world.clock.now + timeout * 1000;
    while (!waitMet(this.world.api, wait, (text) => this.find(text), this.scenario.namespace)) {
      if (this.world.clock.now >= end) return { step: index, message: `not met after ${timeout} s: ${JSON.stringify(condition)}` };
      this.pass(timings.waitPoll);
    }
    return null;
  }

  private settle(index: number, seconds: number): Failed {
    this.world.trace.step(index, 'settle', { seconds });
    this.pass(seconds * 1000);
    return null;
  }

  private run(index: number, line: string): Failed {
    this.pass(timings.kubectlRun);
    const command = this.resolveVariables(index, line);
    const { code, text, durationMs = 0 } = this.hands.kubectl(command, this.scenario.namespace);
    this.pass(durationMs);
    this.world.trace.step(index, 'run', { command, code, text });
    return null;
  }

  private exec(index: number, options: { pod: string; sh: string; container?: string }): Failed {
    this.pass(timings.kubectlExec);
    const { stdout, stderr, code, durationMs = 0 } = this.hands.exec(this.scenario.namespace, options.pod, options.container, ['sh', '-c', options.sh]);
    this.pass(durationMs);
    this.world.trace.step(index, 'exec', { ...options, code, stdout, stderr });
    return null;
  }

  private node(index: number, options: { name: string; action: string; taint?: string }): Failed {
    const node = this.hands.nodeNamed(options.name);
    if (node === undefined) throw new StepError(index, `no node "${options.name}" on the stage`);
    this.world.trace.step(index, 'node', { node, action: options.action, ...(options.taint === undefined ? {} : { taint: options.taint }) });
    this.pass(timings.nodeAction);
    this.guarded(index, () => {
      this.hands.nodeAction(node, options.action, options.taint);
    });
    return null;
  }

  /** Does it; an API refusal becomes an `output` record, as kubectl prints it. */
  private guarded(index: number, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.world.trace.output(index, 1, refusalText(error));
    }
  }

  private target(index: number, text: string): { kind: Kind; name: string } {
    const found = this.find(text);
    if (!found) throw new StepError(index, `no target "${text}": expected KIND/NAME with a kind of ${KINDS_IN_WORDS}, pv-of/CLAIM or va-of/CLAIM`);
    return found;
  }

  /** The object that a target names; `pv-of/CLAIM` remembers the volume also after the claim is gone. */
  private find(text: string): { kind: Kind; name: string } | undefined {
    const [word = '', name = ''] = text.split('/');
    if (word === 'pv-of') return { kind: 'PersistentVolume', name: this.hands.volumeOf(this.scenario.namespace, name) ?? '' };
    if (word === 'va-of') return { kind: 'VolumeAttachment', name: this.hands.attachmentOf(this.scenario.namespace, name) ?? '' };
    const kind = kindOfWord(word);
    return kind && KINDS[kind] ? { kind, name } : undefined;
  }

  /** `$PV_OF_CLAIM` in a manifest or command, CLAIM being the claim's name (traces' README). @recorded #retain-reuse */
  private resolveVariables(index: number, text: string): string {
    return text.replace(/\$(PV|VA)_OF_([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)/g, (whole, what: string, name: string) => {
      const found = what === 'PV' ? this.hands.volumeOf(this.scenario.namespace, name) : this.hands.attachmentOf(this.scenario.namespace, name);
      if (found === undefined) throw new StepError(index, `${whole}: the claim "${name}" has no volume`);
      return found;
    });
  }
}

/** The one key of a step. Throws a plain sentence for a step that has none that we know. */
export function verbOf(step: Step): Verb {
  const verbs: readonly Verb[] = ['apply', 'delete', 'patch', 'wait', 'settle', 'run', 'exec', 'node'];
  const verb = verbs.find((v) => v in step);
  if (!verb) throw new Error(`a step needs one of ${verbs.join(', ')}; found ${Object.keys(step).join(', ') || 'nothing'}`);
  return verb;
}

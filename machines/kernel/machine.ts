/**
 * State charts. Every controller's states are one flat XState machine whose state names are the field's own. The
 * machines carry no context and no actions: what a state means is written in API objects, and what happens on entering
 * it is the controller's business. So a transition is a pure function of (state, event), XState computes each one once,
 * and its answer is kept in a table: the chart that the site draws is the chart that runs.
 */
import { createMachine, getNextSnapshot, type AnyStateMachine } from 'xstate';

export interface ChartConfig {
  readonly id: string;
  readonly initial: string;
  readonly states: Readonly<Record<string, { readonly on?: Readonly<Record<string, string>>; readonly type?: 'final' }>>;
}

/** A flat XState machine with its transition table. */
export class Chart<S extends string = string, E extends string = string> {
  readonly id: string;
  readonly initial: S;
  readonly machine: AnyStateMachine;
  private readonly table = new Map<string, Map<string, S>>();

  constructor(config: ChartConfig) {
    this.id = config.id;
    this.initial = config.initial as S;
    // XState infers a literal type from a literal config only; ours is checked by the table below instead.
    this.machine = createMachine(config as Parameters<typeof createMachine>[0]) as AnyStateMachine;
    for (const [state, node] of Object.entries(config.states)) {
      const row = new Map<string, S>();
      for (const type of Object.keys(node.on ?? {})) {
        const from = this.machine.resolveState({ value: state, context: {} });
        row.set(type, getNextSnapshot(this.machine, from, { type }).value as S);
      }
      this.table.set(state, row);
    }
  }

  get states(): S[] {
    return [...this.table.keys()] as S[];
  }

  /** Every transition of the chart, for drawing it. */
  get transitions(): { from: S; event: E; to: S }[] {
    return [...this.table].flatMap(([from, row]) => [...row].map(([event, to]) => ({ from: from as S, event: event as E, to })));
  }

  can(state: S, event: E): boolean {
    return this.table.get(state)?.has(event) ?? false;
  }

  /** The state after `event`. Throws where the chart has no such transition: XState would silently stay. */
  next(state: S, event: E): S {
    const to = this.table.get(state)?.get(event);
    if (to === undefined) throw new Error(`${this.id}: no transition for "${event}" in state "${state}"`);
    return to;
  }
}

/** Defines a chart; the state and event names are inferred from the config. */
export function chart<const C extends ChartConfig>(
  config: C,
): Chart<keyof C['states'] & string, EventsOf<C['states']>> {
  return new Chart(config);
}
type EventsOf<T> = { [K in keyof T]: T[K] extends { readonly on: infer O } ? keyof O & string : never }[keyof T];

export interface TransitionSink {
  transition(machine: string, key: string, event: string, from: string, to: string): void;
}

/** One running instance of a chart: what a controller knows about one claim, volume, pod, … */
export class Lane<S extends string = string, E extends string = string> {
  readonly chart: Chart<S, E>;
  readonly key: string;
  state: S;
  private readonly sink: TransitionSink;

  constructor(definition: Chart<S, E>, key: string, sink: TransitionSink, state: S = definition.initial) {
    this.chart = definition;
    this.key = key;
    this.state = state;
    this.sink = sink;
  }

  can(event: E): boolean {
    return this.chart.can(this.state, event);
  }

  is(...states: S[]): boolean {
    return states.includes(this.state);
  }

  /** Takes the transition and records it. Throws where the chart has none. */
  send(event: E): void {
    const from = this.state;
    this.state = this.chart.next(from, event);
    this.sink.transition(this.chart.id, this.key, event, from, this.state);
  }

  /** Takes the transition if the chart has one. For events that may come late, e.g. a watch of an object already handled. */
  try(event: E): boolean {
    if (!this.can(event)) return false;
    this.send(event);
    return true;
  }
}

/** The instances of one chart, by key. */
export class Lanes<S extends string, E extends string> {
  private readonly lanes = new Map<string, Lane<S, E>>();
  private readonly definition: Chart<S, E>;
  private readonly sink: TransitionSink;

  constructor(definition: Chart<S, E>, sink: TransitionSink) {
    this.definition = definition;
    this.sink = sink;
  }

  /** The instance with this key. Two objects that follow each other under one name are told apart by `id`. */
  get(key: string, id: string = key): Lane<S, E> {
    let lane = this.lanes.get(id);
    if (!lane) this.lanes.set(id, (lane = this.make(key)));
    return lane;
  }
  /** A new instance that its maker keeps. */
  make(key: string): Lane<S, E> {
    return new Lane(this.definition, key, this.sink);
  }
  /** A new instance under a key that an earlier object may have had. */
  renew(key: string): Lane<S, E> {
    const lane = this.make(key);
    this.lanes.set(key, lane);
    return lane;
  }
  find(id: string): Lane<S, E> | undefined {
    return this.lanes.get(id);
  }
  drop(id: string): void {
    this.lanes.delete(id);
  }
  values(): IterableIterator<Lane<S, E>> {
    return this.lanes.values();
  }
}

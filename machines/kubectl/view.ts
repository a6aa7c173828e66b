/** What kubectl sees of the cluster at one moment. Printing needs nothing else. */
import type { AnyObject, Kind, KindMap, Node } from '../model/objects.ts';
import type { DescribeWriter } from './describe-writer.ts';

/** What one command in a container gave back. */
export interface ExecOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  /** Virtual milliseconds that the command took (its sleeps). */
  readonly durationMs?: number | undefined;
  /** The command never started; `stderr` holds the reason, and nothing is added to it. */
  readonly refused?: true;
}

/** A command for a container that runs. `container` is already resolved to a container of the pod. */
export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly argv: readonly string[];
}

/** The output of a container's last run, or of the one before. */
export interface LogsRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly previous: boolean;
}

/** Writes a node's description: a part that a browser loads with the seldom commands. */
export type NodeDescriber = (writer: DescribeWriter, node: Node, view: ClusterView) => void;

export interface ClusterView {
  /** All objects of a kind, of every namespace, in any order. */
  readonly list: <K extends Kind>(kind: K) => readonly KindMap[K][];
  /** Virtual time of the command, milliseconds since the epoch. */
  readonly now: number;
  /** The namespace of the person's context: where a command without `-n` looks. */
  readonly namespace: string;
  /** Runs a command in a container; undefined where there are no processes (a recorded trace). */
  readonly exec?: ((request: ExecRequest) => ExecOutcome) | undefined;
  /** What a container printed; undefined where there are no processes (a recorded trace). */
  readonly logs?: ((request: LogsRequest) => string) | undefined;
  /**
   * The annotation `kubectl.kubernetes.io/last-applied-configuration` of an object. Traces leave it out of the objects,
   * so the view carries it beside them.
   */
  readonly lastApplied?: ((object: AnyObject) => string | undefined) | undefined;
  /** Undefined where it was not loaded: then a line that `isSeldom` must not be asked. */
  readonly describeNode?: NodeDescriber | undefined;
}

export type ViewOptions = Omit<ClusterView, 'list'>;

/** A view of the objects given, each once. */
export function viewOfObjects(objects: Iterable<AnyObject>, options: ViewOptions): ClusterView {
  const byKind = new Map<Kind, AnyObject[]>();
  for (const object of objects) {
    const known = byKind.get(object.kind);
    if (known === undefined) byKind.set(object.kind, [object]);
    else known.push(object);
  }
  const list = <K extends Kind>(kind: K): readonly KindMap[K][] => (byKind.get(kind) ?? []) as unknown as readonly KindMap[K][];
  return { ...options, list };
}

/** Objects of a kind in the order a list call returns them: by namespace, then name, as etcd's keys stand. */
export function listInOrder<K extends Kind>(view: ClusterView, kind: K, namespace: string | undefined): KindMap[K][] {
  return view
    .list(kind)
    .filter((object) => namespace === undefined || object.metadata.namespace === undefined || object.metadata.namespace === namespace)
    .toSorted((left, right) => compareKeys(storageKey(left), storageKey(right)));
}

/** One object by name; undefined when the cluster has none. `namespace` is ignored for kinds without one. */
export function findObject<K extends Kind>(view: ClusterView, kind: K, name: string, namespace: string): KindMap[K] | undefined {
  return view
    .list(kind)
    .find((object) => object.metadata.name === name && (object.metadata.namespace ?? namespace) === namespace);
}

function storageKey(object: AnyObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

/** Byte order, which is what etcd and Go's string comparison use. */
export function compareKeys(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

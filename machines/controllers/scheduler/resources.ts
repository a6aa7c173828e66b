/** Resource requests in the scheduler's units (component-helpers resource/helpers.go, framework/types.go Resource, v1.35). */
import { bytesOf } from '../../model/quantity.ts';
import type { Container, PodSpec, StringMap } from '../../model/objects.ts';

/** CPU in milli-cores, memory and ephemeral storage in bytes, anything else as a whole number. */
export type Amounts = ReadonlyMap<string, number>;

/** A container that names no request still counts for scoring: 0.1 CPU and 200 MB (util/pod_resources.go). */
const UNNAMED_CPU = 100;
const UNNAMED_MEMORY = 200 * 1024 * 1024;

/** One quantity in the scheduler's unit for that resource. */
export function amountOf(resource: string, quantity: string | number): number {
  return resource === 'cpu' ? milliOf(quantity) : bytesOf(quantity);
}

function milliOf(quantity: string | number): number {
  const text = String(quantity).trim();
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return Math.ceil(Number((Number(text) * 1000).toFixed(6)));
  return text.endsWith('m') ? Math.ceil(Number(text.slice(0, -1))) : bytesOf(text) * 1000;
}

export function amountsOf(list: StringMap | undefined): Map<string, number> {
  return new Map(Object.entries(list ?? {}).map(([resource, quantity]) => [resource, amountOf(resource, quantity)]));
}

/** What a pod asks for: the sum of its containers and sidecars, or what its hungriest init container needs, whichever is more. */
export function podRequests(spec: PodSpec): Amounts {
  return aggregate(spec, requestsOf);
}

/** CPU and memory for scoring, where a container without request counts as a small one. */
export function nonZeroRequests(spec: PodSpec): { readonly cpu: number; readonly memory: number } {
  const sums = aggregate(spec, (container) => {
    const named = requestsOf(container);
    if (named.size === 0) return SMALL;
    return new Map([
      ['cpu', named.get('cpu') ?? UNNAMED_CPU],
      ['memory', named.get('memory') ?? UNNAMED_MEMORY],
    ]);
  });
  return { cpu: sums.get('cpu') ?? 0, memory: sums.get('memory') ?? 0 };
}

/** The most memory that a pod may use, in bytes; 0 where no container has a limit (PodLimits). */
export function podMemoryLimit(spec: PodSpec): number {
  return aggregate(spec, ({ resources }) => (resources?.limits ? amountsOf(resources.limits) : NOTHING)).get('memory') ?? 0;
}

const NOTHING: Amounts = new Map();

function requestsOf(container: Container): Amounts {
  const requests = container.resources?.requests;
  return requests ? amountsOf(requests) : NOTHING;
}

const SMALL: Amounts = new Map([
  ['cpu', UNNAMED_CPU],
  ['memory', UNNAMED_MEMORY],
]);

function aggregate(spec: PodSpec, amounts: (container: Container) => Amounts): Amounts {
  const [only, ...others] = spec.containers;
  if (only && others.length === 0 && !spec.initContainers) return amounts(only);
  const total = new Map<string, number>();
  for (const container of spec.containers) addAll(total, amounts(container), 1);
  if (!spec.initContainers) return total;
  const sidecars = new Map<string, number>();
  const peak = new Map<string, number>();
  for (const container of spec.initContainers) {
    const own = new Map(amounts(container));
    if (container.restartPolicy === 'Always') {
      addAll(total, own, 1);
      addAll(sidecars, own, 1);
      raise(peak, sidecars);
    } else {
      addAll(own, sidecars, 1);
      raise(peak, own);
    }
  }
  raise(total, peak);
  return total;
}

/** Adds `times` the amounts of `by` to `sums`. */
export function addAll(sums: Map<string, number>, by: Amounts, times: 1 | -1): void {
  for (const [resource, amount] of by) sums.set(resource, (sums.get(resource) ?? 0) + times * amount);
}

function raise(highest: Map<string, number>, to: Amounts): void {
  for (const [resource, amount] of to) highest.set(resource, Math.max(highest.get(resource) ?? 0, amount));
}

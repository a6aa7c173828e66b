/**
 * What pods ask for and may use, as kubectl adds it up and prints it.
 * Source: k8s.io/kubectl/pkg/util/resource/resource.go and k8s.io/component-helpers/resource/helpers.go, v0.35.
 */
import type { Container, Pod, StringMap } from '../model/objects.ts';
import { binaryQuantity, bytesOf, canonicalQuantity } from '../model/quantity.ts';

/** An amount and the way it is written: a sum keeps the form of its first part. */
export interface Total {
  /** Thousandths of a core for `cpu`, whole units for everything else. */
  readonly amount: number;
  readonly binary: boolean;
}
export type Totals = ReadonlyMap<string, Total>;

const NOTHING: Total = { amount: 0, binary: false };

/** The amount of a resource; nothing where it is not named. */
export function totalOf(totals: Totals, resource: string): Total {
  return totals.get(resource) ?? NOTHING;
}

/** The amounts of a list as the API has it. */
export function readTotals(list: StringMap | undefined): Totals {
  return new Map(Object.entries(list ?? {}).map(([resource, quantity]) => [resource, readTotal(resource, quantity)]));
}

function readTotal(resource: string, quantity: string): Total {
  const text = canonicalQuantity(quantity);
  const amount = resource !== 'cpu' ? bytesOf(text) : text.endsWith('m') ? Number(text.slice(0, -1)) : bytesOf(text) * 1000;
  return { amount, binary: text.endsWith('i') };
}

/** The containers and sidecars together, or what the hungriest init container needs beside the sidecars before it. */
export function podTotals({ spec }: Pod, which: 'requests' | 'limits'): Totals {
  const own = ({ resources }: Container): Totals => readTotals(resources?.[which]);
  let total: Totals = spec.containers.map(own).reduce(added, new Map());
  let sidecars: Totals = new Map();
  let peak: Totals = new Map();
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      total = added(total, own(container));
      sidecars = added(sidecars, own(container));
      peak = higher(peak, sidecars);
    } else {
      peak = higher(peak, added(own(container), sidecars));
    }
  }
  return higher(total, peak);
}

/** Both together. */
export function added(left: Totals, right: Totals): Totals {
  return merged(left, right, (a, b) => ({ amount: a.amount + b.amount, binary: a.amount === 0 ? b.binary : a.binary }));
}

function higher(left: Totals, right: Totals): Totals {
  return merged(left, right, (a, b) => (b.amount > a.amount ? b : a));
}

function merged(left: Totals, right: Totals, both: (a: Total, b: Total) => Total): Totals {
  const result = new Map(left);
  for (const [resource, total] of right) {
    const known = result.get(resource);
    result.set(resource, known === undefined ? total : both(known, total));
  }
  return result;
}

/** `250m`, `64Mi`, `0`. */
export function totalText(resource: string, { amount, binary }: Total): string {
  if (resource === 'cpu') return canonicalQuantity(`${amount}m`);
  return binary && amount >= 1024 ? binaryQuantity(amount) : canonicalQuantity(String(amount));
}

/** `250m (12%)`: the share of what the node has, cut to whole per cents. */
export function shareText(resource: string, total: Total, whole: Total): string {
  const share = whole.amount === 0 ? 0 : Math.trunc((total.amount / whole.amount) * 100);
  return `${totalText(resource, total)} (${share}%)`;
}

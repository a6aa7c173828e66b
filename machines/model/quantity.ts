/** Kubernetes quantities of bytes (apimachinery pkg/api/resource, v1.35): `64Mi`, `1G`, `1e3`, `5`. */

const SUFFIX_BYTES: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The bytes that a quantity names, rounded up. Throws a plain sentence when the text is no quantity. */
export function bytesOf(quantity: string | number): number {
  const text = String(quantity).trim();
  const match = /^([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(m|[kMGTPE]i?|Ki)?$/.exec(text);
  const number = match?.[1];
  if (number === undefined) throw new Error(`"${text}" is not a quantity: expected a number with an optional suffix such as Mi, Gi, M or G`);
  const suffix = match?.[2] ?? '';
  if (suffix === 'm') return Math.ceil(Number(number) / 1000);
  const factor = SUFFIX_BYTES[suffix];
  if (factor === undefined) throw new Error(`"${text}" is not a quantity: unknown suffix "${suffix}"`);
  return Math.ceil(Number(number) * factor);
}

/** Bytes in the canonical binary form: the largest binary suffix that divides them (resource.Quantity, BinarySI). */
export function binaryQuantity(bytes: number): string {
  for (const suffix of ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki']) {
    const unit = SUFFIX_BYTES[suffix] ?? 1;
    if (bytes > 0 && bytes % unit === 0) return `${bytes / unit}${suffix}`;
  }
  return String(bytes);
}

/** Kubernetes quantities of bytes (apimachinery pkg/api/resource, v1.35): `64Mi`, `1G`, `1e3`, `5`. */

const SUFFIX_BYTES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
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

/** Quantities read before: a run has few different ones and asks often. */
const KNOWN_BYTES = new Map<string | number, number>();
const MOST_KNOWN = 1000;

/** The bytes that a quantity names, rounded up. Throws a plain sentence when the text is no quantity. */
export function bytesOf(quantity: string | number): number {
  const known = KNOWN_BYTES.get(quantity);
  if (known !== undefined) return known;
  const bytes = readBytes(quantity);
  if (KNOWN_BYTES.size < MOST_KNOWN) KNOWN_BYTES.set(quantity, bytes);
  return bytes;
}

function readBytes(quantity: string | number): number {
  const text = String(quantity).trim();
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(text);
  const number = match?.[1];
  if (number === undefined) throw new Error(`"${text}" is not a quantity: expected a number with an optional suffix such as Mi, Gi, M or G`);
  const suffix = match?.[2] ?? '';
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

const QUANTITY = /^([+-]?)(\d+)?(?:\.(\d*))?(?:(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)|[eE]([+-]?\d+))?$/;
const NANO = 1_000_000_000n;
const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/**
 * The form in which the API server stores a quantity (resource.Quantity CanonicalizeBytes): `1024Mi` is `1Gi`, `0.5` is
 * `500m`, `1000` is `1k`. A text that is no quantity comes back as it is.
 * @modelled apimachinery pkg/api/resource/quantity.go, v1.35
 */
export function canonicalQuantity(quantity: string | number): string {
  const known = KNOWN_FORMS.get(quantity);
  if (known !== undefined) return known;
  const form = readForm(quantity);
  if (KNOWN_FORMS.size < MOST_KNOWN) KNOWN_FORMS.set(quantity, form);
  return form;
}
const KNOWN_FORMS = new Map<string | number, string>();

function readForm(quantity: string | number): string {
  const text = String(quantity).trim();
  const match = QUANTITY.exec(text);
  const [, sign = '', whole = '', fraction = '', suffix = '', exponent] = match ?? [];
  if (!match || whole + fraction === '' || exponent !== undefined) return text;
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  const factor = suffix !== '' && binary > 0 ? NANO * 1024n ** BigInt(binary) : 1000n ** BigInt(DECIMAL_SUFFIXES.indexOf(suffix));
  const scale = 10n ** BigInt(fraction.length);
  const nano = ceilDiv(BigInt(whole + fraction) * factor, scale);
  const value = binary > 0 && nano >= 1024n * NANO ? inUnits(ceilDiv(nano, NANO), 1024n, BINARY_SUFFIXES) : inUnits(nano, 1000n, DECIMAL_SUFFIXES);
  return sign === '-' && value !== '0' ? `-${value}` : value;
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** The number with the largest suffix that leaves no fraction. */
function inUnits(amount: bigint, base: bigint, suffixes: readonly string[]): string {
  if (amount === 0n) return '0';
  let rest = amount;
  let unit = 0;
  while (rest % base === 0n && unit < suffixes.length - 1) {
    rest /= base;
    unit++;
  }
  return `${rest}${suffixes[unit] ?? ''}`;
}

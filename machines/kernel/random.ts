/**
 * All chance in the simulated cluster comes from here, so that the same scenario and seed give the same bytes:
 * uids, generated names, the phase of periodic loops, jitter.
 */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (seed ^ 0x9e3779b9) >>> 0;
  }

  /** A number in [0, 1) (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** `length` lower-case hex digits. */
  hex(length: number): string {
    const codes: number[] = [];
    for (let word = 0; codes.length < length; ) {
      if ((codes.length & 7) === 0) word = this.word();
      codes.push(digitOf(word, codes.length & 7));
    }
    return String.fromCharCode(...codes);
  }

  /** A version 4 UUID. Made in one piece: many are kept, and a string of joined parts keeps its parts. */
  uuid(): string {
    const codes = UUID_CODES;
    let word = 0;
    let at = 0;
    for (let digit = 0; digit < 32; digit++) {
      if ((digit & 7) === 0) word = this.word();
      if (digit === 8 || digit === 12 || digit === 16 || digit === 20) codes[at++] = DASH;
      codes[at++] = digitOf(word, digit & 7);
    }
    codes[VERSION_AT] = DIGITS[4] ?? 0;
    codes[VARIANT_AT] = DIGITS[8 + Math.floor(this.next() * 4)] ?? 0;
    return String.fromCharCode(...codes);
  }

  private word(): number {
    return Math.floor(this.next() * 0x100000000);
  }

  /** Kubernetes' generated-name suffix: `length` characters of the alphabet without vowels (k8s.io/apimachinery/pkg/util/rand). */
  suffix(length = 5): string {
    const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
    let out = '';
    for (let i = 0; i < length; i++) out += alphabet[Math.floor(this.next() * alphabet.length)] ?? 'x';
    return out;
  }
}

/** Character codes of the hex digits. */
const DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const DASH = '-'.charCodeAt(0);
/** The characters of the UUID in the making. */
const UUID_CODES: number[] = Array.from({ length: 36 }, () => DASH);
/** Where a UUID tells its version and its variant. */
const VERSION_AT = 14;
const VARIANT_AT = 19;

function digitOf(word: number, index: number): number {
  return DIGITS[(word >>> (28 - 4 * index)) & 15] ?? 0;
}

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
    let out = '';
    while (out.length < length) out += this.eightDigits();
    return out.length === length ? out : out.slice(0, length);
  }

  /** A version 4 UUID. */
  uuid(): string {
    const [a, b, c, d] = [this.eightDigits(), this.eightDigits(), this.eightDigits(), this.eightDigits()];
    const variant = '89ab'[Math.floor(this.next() * 4)] ?? '8';
    return `${a}-${b.slice(0, 4)}-4${b.slice(5, 8)}-${variant}${c.slice(1, 4)}-${c.slice(4, 8)}${d}`;
  }

  private eightDigits(): string {
    const bits = Math.floor(this.next() * 0x100000000);
    return `${BYTES[bits >>> 24] ?? ''}${BYTES[(bits >>> 16) & 255] ?? ''}${BYTES[(bits >>> 8) & 255] ?? ''}${BYTES[bits & 255] ?? ''}`;
  }

  /** Kubernetes' generated-name suffix: `length` characters of the alphabet without vowels (k8s.io/apimachinery/pkg/util/rand). */
  suffix(length = 5): string {
    const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
    let out = '';
    for (let i = 0; i < length; i++) out += alphabet[Math.floor(this.next() * alphabet.length)] ?? 'x';
    return out;
  }
}

/** Every byte in two hex digits. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** SHA-256 (FIPS 180-4) as hex: Kubernetes names attachments, staging directories and zonal volume ids by it. */
const K = constants();

export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((bytes.length * 8) / 0x100000000));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const hash = new Uint32Array([0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]);
  const w = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) compress(hash, w, view, offset);
  return [...hash].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function compress(hash: Uint32Array, w: Uint32Array, view: DataView, offset: number): void {
  const at = (i: number): number => w[i] as number;
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const s0 = rotate(at(i - 15), 7) ^ rotate(at(i - 15), 18) ^ (at(i - 15) >>> 3);
    const s1 = rotate(at(i - 2), 17) ^ rotate(at(i - 2), 19) ^ (at(i - 2) >>> 10);
    w[i] = at(i - 16) + s0 + at(i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + at(i)) >>> 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    hash[i] = (hash[i] as number) + value;
  });
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function constants(): Uint32Array {
  const k = new Uint32Array(64);
  for (let n = 2, i = 0; i < 64; n++) {
    if (!isPrime(n)) continue;
    const root = Math.cbrt(n);
    k[i++] = Math.floor((root - Math.floor(root)) * 0x100000000);
  }
  return k;
}
function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return true;
}

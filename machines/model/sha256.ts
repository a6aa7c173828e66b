/** SHA-256 (FIPS 180-4) as hex: Kubernetes names attachments, staging directories and zonal volume ids by it. */
const K = constants();
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/** The same few names are asked for again and again; so many answers are remembered. */
const REMEMBERED = 32_768;
const answers = new Map<string, string>();

export function sha256(text: string): string {
  const known = answers.get(text);
  if (known !== undefined) return known;
  const answer = digest(text);
  if (answers.size >= REMEMBERED) answers.clear();
  answers.set(text, answer);
  return answer;
}

function digest(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((bytes.length * 8) / 0x100000000));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const hash = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) compress(hash, w, view, offset);
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/* Plain variables instead of a list that is shifted: this is the inner loop of every name. */
function compress(hash: Int32Array, w: Int32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const w15 = w[i - 15] as number;
    const w2 = w[i - 2] as number;
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  add(hash, 0, a);
  add(hash, 1, b);
  add(hash, 2, c);
  add(hash, 3, d);
  add(hash, 4, e);
  add(hash, 5, f);
  add(hash, 6, g);
  add(hash, 7, h);
}

function add(hash: Int32Array, i: number, value: number): void {
  hash[i] = ((hash[i] as number) + value) | 0;
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function constants(): Int32Array {
  const k = new Int32Array(64);
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

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

/** The message in words of 32 bits, big-endian; grown when a longer one comes. */
let message = new Int32Array(64);
const hash = new Int32Array(8);
const w = new Int32Array(64);
const encoder = new TextEncoder();

function digest(text: string): string {
  const length = fillMessage(text);
  const blocks = ((length + 8) >> 6) + 1;
  put(length, 0x80);
  message[blocks * 16 - 2] = Math.floor((length * 8) / 0x100000000);
  message[blocks * 16 - 1] = (length * 8) | 0;
  hash.set(START);
  for (let block = 0; block < blocks; block++) compress(block * 16);
  return hexOf(hash);
}

/** Puts the UTF-8 form of the text into `message`, zeros behind it. Returns its bytes. Names are mostly ASCII. */
function fillMessage(text: string): number {
  makeRoom(text.length * 3);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return fillEncoded(encoder.encode(text));
    put(i, code);
  }
  return text.length;
}

function fillEncoded(bytes: Uint8Array): number {
  message.fill(0);
  for (let i = 0; i < bytes.length; i++) put(i, bytes[i] as number);
  return bytes.length;
}

function makeRoom(bytes: number): void {
  const words = ((bytes + 8) >> 6) * 16 + 16;
  if (message.length < words) message = new Int32Array(words);
  else message.fill(0, 0, words);
}

function put(at: number, byte: number): void {
  const word = at >> 2;
  message[word] = (message[word] as number) | (byte << (24 - 8 * (at & 3)));
}

/** Character codes of the hex digits of the answer in the making. */
const digits: number[] = Array.from({ length: 64 }, () => 0);

function hexOf(words: Int32Array): string {
  for (let i = 0; i < 64; i++) {
    const digit = ((words[i >> 3] as number) >>> (28 - 4 * (i & 7))) & 15;
    digits[i] = digit < 10 ? 48 + digit : 87 + digit;
  }
  return String.fromCharCode(...digits);
}

/* Plain variables instead of a list that is shifted: this is the inner loop of every name. */
function compress(from: number): void {
  for (let i = 0; i < 16; i++) w[i] = message[from + i] as number;
  for (let i = 16; i < 64; i++) {
    const w15 = w[i - 15] as number;
    const w2 = w[i - 2] as number;
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)];
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
  add(0, a);
  add(1, b);
  add(2, c);
  add(3, d);
  add(4, e);
  add(5, f);
  add(6, g);
  add(7, h);
}

function add(i: number, value: number): void {
  hash[i] = (at(i) + value) | 0;
}
function at(i: number): number {
  return hash[i] as number;
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

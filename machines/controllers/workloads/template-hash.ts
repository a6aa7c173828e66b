/**
 * The hash in the names of ReplicaSets and revisions. Kubernetes hashes a printed Go struct (pkg/util/hash DeepHashObject),
 * which only Go can print; ours is the same FNV-1a over canonical JSON, written in the same letters. Equal templates get
 * equal hashes, and the characters are those of the real ones.
 * @modelled pkg/controller/controller_utils.go ComputeHash, v1.35
 */
export function templateHash(value: unknown, collisions = 0): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${canonicalJson(value)}${collisions > 0 ? collisions : ''}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return safeEncode(String(hash));
}

const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** rand.SafeEncodeString: each character becomes one of the letters that names of Kubernetes use. */
function safeEncode(text: string): string {
  return [...text].map((char) => LETTERS[(char.codePointAt(0) ?? 0) % LETTERS.length] ?? '').join('');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}

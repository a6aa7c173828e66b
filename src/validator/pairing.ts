/** Joins what is missing with what is extra where the two are plainly one thing that came out differently. */

/** At least this share of the words must be common. */
const alike = 0.5;

export interface Pair<T> {
  readonly missing: T;
  readonly extra: T;
}

/** Greedy: the most alike pair first. Only items of the same group are paired. */
export function pairUp<T>(missing: readonly T[], extra: readonly T[], group: (item: T) => string, text: (item: T) => string): Pair<T>[] {
  const byGroup = Map.groupBy(extra, group);
  const candidates = missing.flatMap(one => (byGroup.get(group(one)) ?? []).map(other => ({ missing: one, extra: other, likeness: likeness(text(one), text(other)) })));
  const used = new Set<T>();
  const pairs: Pair<T>[] = [];
  for (const candidate of candidates.filter(each => each.likeness >= alike).sort((a, b) => b.likeness - a.likeness)) {
    if (used.has(candidate.missing) || used.has(candidate.extra)) continue;
    used.add(candidate.missing).add(candidate.extra);
    pairs.push({ missing: candidate.missing, extra: candidate.extra });
  }
  return pairs;
}

function likeness(a: string, b: string): number {
  const wordsOfA = words(a);
  const wordsOfB = words(b);
  const left = [...wordsOfB];
  let common = 0;
  for (const word of wordsOfA) {
    const position = left.indexOf(word);
    if (position === -1) continue;
    left.splice(position, 1);
    common += 1;
  }
  return common / Math.max(wordsOfA.length, wordsOfB.length, 1);
}

function words(text: string): string[] {
  return text.split(/(?<=[ ,{])/).filter(word => word !== ' ');
}

/** Only the words that differ: `-gone +come`. */
export function wordChanges(expected: string, found: string): string {
  const before = words(expected);
  const after = words(found);
  const gone = [...before];
  const come: string[] = [];
  for (const word of after) {
    const position = gone.indexOf(word);
    if (position === -1) come.push(word);
    else gone.splice(position, 1);
  }
  return [...gone.map(word => `-${word.trim()}`), ...come.map(word => `+${word.trim()}`)].join(' ');
}

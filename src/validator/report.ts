/** The validator's report, for people and as JSON. */
import type { Difference, KindScore } from './compare.ts';
import { factKinds } from './fact.ts';
import { ignored } from './ignored.ts';
import type { IgnoredId } from './ignored.ts';
import { wordChanges } from './pairing.ts';
import type { Judged, Judgement } from './judge.ts';

/** `{"traces":[{"file","scenario","matched","missing","extra","differences":[…]}],"total":{…}}`; more fields stand beside these. */
export function jsonReport(judged: Judged): string {
  const traces = judged.judgements.map(judgement => ({
    file: judgement.file,
    scenario: judgement.scenario,
    ...sum([judgement]),
    ...(judgement.seed === undefined ? {} : { seed: judgement.seed }),
    kinds: judgement.score,
    notSupported: judgement.notSupported,
    differences: judgement.differences,
  }));
  return `${JSON.stringify({ traces, total: sum(judged.judgements), ignored: judged.dropped }, null, 1)}\n`;
}

/** One line a difference, grouped by trace; with `verbose` what was expected, found and why it matters below each other. */
export function textReport(judged: Judged, verbose: boolean): string {
  const lines: string[] = [];
  for (const judgement of judged.judgements) {
    const { matched, missing, extra } = sum([judgement]);
    const word = judgement.differences.length === 0 ? 'same' : 'DIFFERS';
    lines.push(`${word} ${judgement.file} (${judgement.scenario}): ${matched} matched, ${missing} missing, ${extra} extra${judgement.seed === undefined ? '' : `; periodic loops in the phases of seed ${judgement.seed}`}`);
    for (const what of judgement.notSupported) lines.push(`  not supported yet: ${what}`);
    for (const difference of judgement.differences) lines.push(...(verbose ? longLines(difference) : [shortLine(difference)]));
  }
  lines.push('', 'kind      matched  missing    extra');
  for (const kind of factKinds) {
    const score = judged.judgements.map(judgement => judgement.score[kind]).reduce(plus, { matched: 0, missing: 0, extra: 0 });
    lines.push(scoreLine(kind, score));
  }
  lines.push(scoreLine('total', sum(judged.judgements)), '', 'left out of the comparison (recorded fields dropped):');
  for (const [id, entry] of Object.entries(ignored)) lines.push(`  ${String(judged.dropped[id as IgnoredId]).padStart(7)}  ${entry.what}: ${entry.why}`);
  const differing = judged.judgements.filter(judgement => judgement.differences.length > 0).length;
  lines.push('', conclusion(differing, judged.judgements.length), '');
  return lines.join('\n');
}

function conclusion(differing: number, all: number): string {
  const traces = `${all} ${all === 1 ? 'trace' : 'traces'}`;
  return differing === 0 ? `no difference in ${traces}` : `${differing} of ${traces} ${all === 1 ? 'differs' : 'differ'}`;
}

function scoreLine(name: string, score: KindScore): string {
  return `${name.padEnd(8)} ${String(score.matched).padStart(8)} ${String(score.missing).padStart(8)} ${String(score.extra).padStart(8)}`;
}

function shortLine(difference: Difference): string {
  const at = `  ${difference.type.padEnd(7)} ${difference.kind.padEnd(6)} ${difference.t.toFixed(2).padStart(7)}s ${difference.subject}:`;
  if (difference.type === 'missing') return `${at} ${difference.expected}`;
  if (difference.type === 'extra') return `${at} ${difference.found}`;
  if (difference.type === 'altered') return `${at} ${wordChanges(difference.expected, difference.found)}   [in ${difference.found.slice(0, 60)}…]`;
  return `${at} expected ${difference.expected}; found ${difference.found}`;
}

function longLines(difference: Difference): string[] {
  return [
    `  ${difference.type} ${difference.kind} of ${difference.subject} at ${difference.t.toFixed(3)} s`,
    `    expected: ${difference.expected === '' ? 'nothing of the kind' : difference.expected}`,
    `    found:    ${difference.found === '' ? 'nothing of the kind' : difference.found}`,
    `    why:      ${difference.why}`,
  ];
}

function sum(judgements: readonly Judgement[]): KindScore {
  return judgements.flatMap(judgement => Object.values(judgement.score)).reduce(plus, { matched: 0, missing: 0, extra: 0 });
}

function plus(a: KindScore, b: KindScore): KindScore {
  return { matched: a.matched + b.matched, missing: a.missing + b.missing, extra: a.extra + b.extra };
}

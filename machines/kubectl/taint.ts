/** `kubectl taint`: what the line asks for. Source: k8s.io/kubectl/pkg/cmd/taint, v0.35. */
import { qualifiedNameMistake } from '../admission/names.ts';
import type { Taint } from '../model/objects.ts';
import type { Change, ChangeCommand } from './change-command.ts';
import type { Flags } from './command-words.ts';
import { allowOnly, isSet, readTargets } from './command-words.ts';
import { KubectlError } from './outcome.ts';

/** What the words name as taints: `KEY=VALUE:EFFECT` sets, with `-` behind it removes. @modelled k8s.io/kubectl pkg/cmd/taint/taint.go, v0.35 */
export function parseTaints(positional: readonly string[], flags: Flags): ChangeCommand {
  allowOnly('taint', flags, ['selector', 'all', 'overwrite']);
  const isTaint = (word: string): boolean => /[=:]/.test(word) || word.endsWith('-');
  const first = positional.findIndex(isTaint);
  const [type, ...names] = first < 0 ? positional : positional.slice(0, first);
  const words = first < 0 ? [] : positional.slice(first);
  const late = words.find((word) => !isTaint(word));
  if (late !== undefined) throw new KubectlError(`error: all resources must be specified before taint changes: ${late}`);
  if (type === undefined) throw new KubectlError('error: one or more resources must be specified as <resource> <name>');
  if (words.length === 0) throw new KubectlError('error: at least one taint update is required');
  const [set, remove] = readTaints(words);
  const [target] = readTargets('taint', [type]);
  if (target?.resource.kind !== 'Node') throw new KubectlError(`error: invalid resource type ${type.toLowerCase()}, only node types are supported`);
  const [selector, all] = [flags.values.get('selector') ?? '', isSet(flags, 'all')];
  if (all && selector !== '') throw new KubectlError("error: setting 'all' parameter with a non empty selector is prohibited");
  if (!all && selector === '' && names.length === 0) throw new KubectlError("error: at least one resource name must be specified since 'all' parameter is not set");
  const change: Change = { type: 'taint', set, remove, overwrite: isSet(flags, 'overwrite') };
  return { verb: 'change', change, targets: all || selector !== '' ? [target] : names.map((name) => ({ ...target, name })), selector, allNamespaces: false, all };
}

/** @modelled k8s.io/kubectl pkg/cmd/taint/utils.go (parseTaints), v0.35 */
function readTaints(words: readonly string[]): [Taint[], Partial<Taint>[]] {
  const set: Taint[] = [];
  const remove: Partial<Taint>[] = [];
  for (const word of words) {
    const removes = word.endsWith('-');
    const taint = readTaint(removes ? word.slice(0, -1) : word);
    if (removes) remove.push({ key: taint.key, ...(taint.effect === undefined ? {} : { effect: taint.effect }) });
    else if (taint.effect === undefined) throw taintMistake(`invalid taint spec: ${word}`);
    else if (set.some(({ key, effect }) => key === taint.key && effect === taint.effect)) throw taintMistake(`duplicated taints with the same key and effect: {${taint.key} ${taint.value ?? ''} ${taint.effect} <nil>}`);
    else set.push(taint as Taint);
  }
  const both = remove.filter(({ key, effect }) => set.some((taint) => taint.key === key && (effect === undefined || taint.effect === effect)));
  if (both.length > 0) throw new KubectlError(`error: can not both modify and remove the following taint(s) in the same command: ${both.map(({ key, effect = '' }) => `{"${key ?? ''}":"${effect}"}`).join(', ')}`);
  return [set, remove];
}

const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function readTaint(text: string): Omit<Taint, 'effect'> & { readonly effect?: Taint['effect'] } {
  const [pair = '', effect, ...more] = text.split(':');
  if (effect !== undefined && !EFFECTS.includes(effect)) throw taintMistake(`invalid taint effect: ${effect}, unsupported taint effect`);
  const [key = '', value = '', ...values] = effect === undefined ? [pair] : pair.split('=');
  if (more.length > 0 || values.length > 0) throw taintMistake(`invalid taint spec: ${text}`);
  const mistake = qualifiedNameMistake(key);
  if (mistake !== undefined) throw taintMistake(`invalid taint spec: ${text}, ${mistake}`);
  return { key, ...(value === '' ? {} : { value }), ...(effect === undefined ? {} : { effect: effect as Taint['effect'] }) };
}

function taintMistake(what: string): KubectlError {
  return new KubectlError(`error: ${what}\nSee 'kubectl taint -h' for help and examples`);
}

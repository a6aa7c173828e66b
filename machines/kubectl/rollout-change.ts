/** `kubectl rollout history|undo|pause|resume` and `kubectl set image`: what the line asks for. Source: k8s.io/kubectl/pkg/cmd/rollout, pkg/cmd/set, v0.35. */
import type { Flags, Selection } from './command-words.ts';
import { allowOnly, isSet, readSelection } from './command-words.ts';
import { KubectlError, notModelled } from './outcome.ts';

export type RolloutAction =
  | { readonly type: 'history' | 'pause' | 'resume' }
  /** Revision 0: the one before the newest. */
  | { readonly type: 'undo'; readonly revision: number }
  /** Images by container name; `*` means every container. */
  | { readonly type: 'image'; readonly images: ReadonlyMap<string, string> };

export interface RolloutCommand extends Selection {
  readonly verb: 'rollout';
  readonly action: RolloutAction;
}

/** @modelled k8s.io/kubectl pkg/cmd/rollout, v0.35 */
export function parseRollout(type: 'history' | 'undo' | 'pause' | 'resume', positional: readonly string[], flags: Flags): RolloutCommand {
  allowOnly(`rollout ${type}`, flags, ['namespace', 'selector', ...(type === 'undo' ? ['to-revision'] : [])]);
  if (positional.length === 0) throw new KubectlError('error: required resource not specified');
  const revision = Number(flags.values.get('to-revision') ?? 0);
  if (!Number.isInteger(revision) || revision < 0) throw new KubectlError(`error: invalid argument "${flags.values.get('to-revision') ?? ''}" for "--to-revision" flag: strconv.ParseInt: parsing "${flags.values.get('to-revision') ?? ''}": invalid syntax`);
  return { verb: 'rollout', ...readSelection('rollout', positional, flags), action: type === 'undo' ? { type, revision } : { type } };
}

/** @modelled k8s.io/kubectl pkg/cmd/set/set_image.go, v0.35 */
export function parseSet(positional: readonly string[], flags: Flags): RolloutCommand {
  const [what = '', ...words] = positional;
  if (what !== 'image') throw notModelled(`"kubectl set ${what}"`);
  allowOnly('set image', flags, ['namespace', 'selector', 'all']);
  const pairs = words.filter((word) => word.includes('='));
  const resources = words.filter((word) => !word.includes('='));
  if (resources.length === 0) throw new KubectlError('error: one or more resources must be specified as <resource> <name> or <resource>/<name>');
  if (pairs.length === 0) throw new KubectlError('error: at least one image update is required');
  const selection = readSelection('set', resources, flags);
  if (selection.selector === '' && !isSet(flags, 'all') && selection.targets.some(({ name }) => name === undefined)) throw new KubectlError('error: resource(s) were provided, but no name was specified');
  return { verb: 'rollout', ...selection, action: { type: 'image', images: new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])) } };
}

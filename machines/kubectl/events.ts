/** `kubectl events`. Source: k8s.io/kubectl/pkg/cmd/events, v0.35. */
import type { KubeEvent } from '../model/objects.ts';
import type { Flags, Target } from './command-words.ts';
import { allowOnly, isSet, readSlashTarget } from './command-words.ts';
import { eventAge } from './describe-events.ts';
import { goSort } from './go-sort.ts';
import type { KubectlOutcome } from './outcome.ts';
import { KubectlError } from './outcome.ts';
import { escapeTerminal, GET_TABS, TabWriter } from './tabwriter.ts';
import type { ClusterView } from './view.ts';
import { listInOrder } from './view.ts';

export interface EventsCommand {
  readonly verb: 'events';
  /** Only of this object; its kind and name count. */
  readonly about?: Target | undefined;
  readonly types: readonly string[];
  readonly namespace?: string | undefined;
  readonly allNamespaces: boolean;
  readonly noHeaders: boolean;
}

/** @modelled k8s.io/kubectl pkg/cmd/events/events.go, v0.35 */
export function parseEvents(positional: readonly string[], flags: Flags): EventsCommand {
  allowOnly('events', flags, ['for', 'types', 'namespace', 'all-namespaces', 'no-headers']);
  const [unexpected] = positional;
  if (unexpected !== undefined) throw new KubectlError(`error: unknown command "${unexpected}" for "kubectl events"`);
  const object = flags.values.get('for') ?? '';
  if (object !== '' && !object.includes('/')) throw new KubectlError('error: --for must be in resource/name form');
  if (object.split('/').length > 2) throw new KubectlError('error: arguments in resource/name form may not have more than one slash');
  const types = (flags.values.get('types') ?? '').split(',').filter((type) => type !== '').map((type) => type.toLowerCase());
  if (types.some((type) => type !== 'normal' && type !== 'warning')) throw new KubectlError('error: valid --types are Normal or Warning');
  return { verb: 'events', about: object === '' ? undefined : readSlashTarget(object), types, namespace: flags.values.get('namespace'), allNamespaces: isSet(flags, 'all-namespaces'), noHeaders: isSet(flags, 'no-headers') };
}

/** The events in the order of their last appearance. @modelled k8s.io/kubectl pkg/cmd/events/events.go, v0.35 */
export function runEvents(command: EventsCommand, view: ClusterView): KubectlOutcome {
  const namespace = command.allNamespaces ? undefined : (command.namespace ?? view.namespace);
  const found = listInOrder(view, 'Event', namespace).filter((event) => isAbout(command, event) && (command.types.length === 0 || command.types.includes(event.type.toLowerCase())));
  if (found.length === 0) return { code: 0, text: namespace === undefined ? 'No events found.\n' : `No events found in ${namespace} namespace.\n` };
  const writer = new TabWriter(GET_TABS);
  const row = (where: string, ...cells: string[]): void => writer.write(`${[...(command.allNamespaces ? [where] : []), ...cells].join('\t')}\n`);
  if (!command.noHeaders) row('NAMESPACE', 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE');
  for (const event of goSort(found, (left, right) => lastSeen(left) < lastSeen(right))) {
    const { kind = '', name = '' } = event.involvedObject;
    row(event.metadata.namespace ?? '', eventAge(event, view.now), event.type, event.reason, `${kind}/${name}`, cellOf(event.message.trim()));
  }
  writer.flush();
  return { code: 0, text: writer.text() };
}

function isAbout({ about }: EventsCommand, { involvedObject }: KubeEvent): boolean {
  return about === undefined || (involvedObject.kind === about.resource.kind && involvedObject.name === about.name);
}

function lastSeen({ series, lastTimestamp, eventTime }: KubeEvent): number {
  return Date.parse(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? '0001-01-01T00:00:00Z');
}

/** A cell ends where its text's first line ends. */
function cellOf(text: string): string {
  const end = text.search(/[\f\n\r]/);
  return escapeTerminal(end < 0 ? text : `${text.slice(0, end)}...`);
}

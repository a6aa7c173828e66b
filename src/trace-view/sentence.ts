/**
 * What a moment of a run comes down to, as a message key and what to fill in: the words are the site's, in two languages.
 */
import type { MessageKey } from '../i18n/en.ts';
import type { Trace } from '../../machines/trace/format.ts';
import type { Silence } from './silence.ts';
import { STATIONS, type StationName } from './station-names.ts';
import type { Line } from './stations.ts';
import { find, ofKind, worldAt } from './world.ts';

export interface Sentence {
  readonly key: MessageKey;
  readonly params: Readonly<Record<string, string>>;
  /** Said after it: the pod's node no longer answers. */
  readonly silent?: Silence;
  /** For `say_again`: what it outlived, joined into {what}. */
  readonly list?: readonly MessageKey[];
  /** For `say_held`: the station, the reason and how far the pod got, each a message of its own. */
  readonly held?: { readonly station: StationName; readonly why: MessageKey; readonly progress: MessageKey | undefined };
}

/** The sentence for the line after record `index`. */
export function sentenceAt(trace: Trace, index: number, line: Line): Sentence {
  const said = stateOf(trace, index, line);
  return line.silent === undefined ? said : { ...said, silent: line.silent };
}

function stateOf(trace: Trace, index: number, line: Line): Sentence {
  const blocked = STATIONS.find((name) => line.stations[name].mark === 'blocked');
  if (blocked !== undefined) return heldAt(line, blocked);
  const mark = (name: StationName): string => line.stations[name].mark;
  const done = (name: StationName): boolean => mark(name) === 'proven' || mark(name) === 'passed-through';
  const node = line.node ?? '';
  const world = worldAt(trace, index);
  const pod = line.pod === undefined ? undefined : find(world, 'Pod', trace.scenario.namespace, line.pod)?.object;
  if (line.pod !== undefined && pod === undefined) return plain(mark('claim') === 'proven' ? 'say_goneStays' : 'say_gone', { pod: line.pod });
  const ended = pod?.status.containerStatuses?.find((status) => status.state.terminated !== undefined)?.state.terminated;
  if (ended !== undefined) return plain('say_ended', { code: String(ended.exitCode) });
  if (mark('again') === 'partly' || mark('again') === 'proven') {
    return { key: 'say_again', params: {}, list: line.stations.again.evidence.filter((item) => item.held).map((item) => item.what as MessageKey) };
  }
  if (mark('bytes') === 'proven') return plain('say_bytes');
  if (mark('bytes') === 'partly') return plain('say_wrote');
  if (mark('process') === 'partly' || mark('process') === 'proven') return plain('say_process');
  if (mark('process') === 'here') return plain('say_processHere');
  if (pod !== undefined) {
    if (line.tracks.length > 0 && mark('published') === 'proven') return plain('say_published');
    if (mark('staged') === 'proven') return plain('say_staged');
    if (mark('attached') === 'proven') return plain('say_attached');
    if (mark('attached') === 'partly') return plain('say_attachPartly');
    if (mark('attached') === 'here') return plain('say_attachHere', { node });
    if (done('node')) return plain('say_scheduled', { node });
    const nominated = pod.status.nominatedNodeName;
    return nominated === undefined || nominated === '' ? plain('say_nodeHere') : plain('say_nodeChosen', { node: nominated });
  }
  if (mark('volume') === 'proven') return plain('say_bound');
  if (mark('volume') === 'here' || mark('volume') === 'partly') {
    return plain('say_volumeHere');
  }
  if (mark('claim') === 'proven') return plain(waits(trace, index) ? 'say_waitsForConsumer' : 'say_claimOnly');
  return plain('say_start');
}

function heldAt(line: Line, station: StationName): Sentence {
  const refusal = line.stations[station].refusal;
  const before = STATIONS.slice(0, STATIONS.indexOf(station)).findLast((name) => ['proven', 'partly'].includes(line.stations[name].mark));
  return {
    key: 'say_held',
    params: { by: refusal?.by ?? '', ...refusal?.reason.params },
    held: {
      station,
      why: `why_${refusal?.reason.code ?? 'other'}`,
      progress: before === undefined || before === 'bytes' || before === 'again' ? undefined : before === 'attached' && line.stations.attached.mark === 'partly' ? 'prog_attachPartly' : `prog_${before}`,
    },
  };
}

/** Does a claim of the namespace wait for its first consumer? */
function waits(trace: Trace, index: number): boolean {
  const world = worldAt(trace, index);
  return ofKind(world, 'PersistentVolumeClaim').some(({ object }) => {
    if (object.metadata.namespace !== trace.scenario.namespace || object.status.phase !== 'Pending') return false;
    const named = object.spec.storageClassName;
    return named !== undefined && named !== '' && find(world, 'StorageClass', undefined, named)?.object.volumeBindingMode === 'WaitForFirstConsumer';
  });
}

function plain(key: MessageKey, params: Readonly<Record<string, string>> = {}): Sentence {
  return { key, params };
}

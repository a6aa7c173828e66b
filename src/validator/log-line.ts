/** Takes a component's log line apart: message, structured values, the volume and the pod it is about. */
import type { LogRecord } from '../../machines/trace/format.ts';

export interface LogLine {
  readonly record: LogRecord;
  /** The message without the structured values; for unstructured lines the whole text. */
  readonly message: string;
  /** A structured value, unquoted. */
  value(key: string): string | undefined;
}

export function parseLogLine(record: LogRecord): LogLine {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(record.text);
  const message = quoted?.[1] === undefined ? record.text : unescaped(quoted[1]);
  const rest = quoted === null ? '' : record.text.slice(quoted[0].length);
  return { record, message, value: key => valueIn(rest, key) };
}

function valueIn(text: string, key: string): string | undefined {
  const found = new RegExp(`(?:^| )${key}="((?:[^"\\\\]|\\\\.)*)"`).exec(text)?.[1];
  return found === undefined ? undefined : unescaped(found);
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

/** The volume operations' common words: `for volume "X" (UniqueName: "U") pod "P" (UID: "I")`, `from|on node "N"`. */
export interface VolumeWords {
  /** Name of the PV, or the pod's own name of another volume. */
  readonly volume: string | undefined;
  readonly uniqueName: string | undefined;
  readonly podUid: string | undefined;
  readonly node: string | undefined;
}

export function volumeWords(message: string): VolumeWords {
  return {
    volume: /InnerVolumeSpecName "([^"]*)"/.exec(message)?.[1] ?? /for volume "([^"]*)"/.exec(message)?.[1],
    uniqueName: /\(UniqueName: "([^"]*)"\)/.exec(message)?.[1] ?? /volume "(kubernetes\.io\/[^"]*)"/.exec(message)?.[1],
    podUid: /\(UID: "([^"]*)"\)/.exec(message)?.[1],
    node: /(?:from|on|to) node "([^"]*)"/.exec(message)?.[1],
  };
}

/** Pod uid and volume in a path below the kubelet's pod directory. */
export function podPath(message: string): { readonly podUid: string; readonly volume: string } | undefined {
  const found = /\/pods\/([0-9a-f-]{36})\/volumes\/[^/]+\/([^/\])]+)/.exec(message);
  return found?.[1] === undefined || found[2] === undefined ? undefined : { podUid: found[1], volume: found[2] };
}

/** Lines of a command's output with what two runs do not share masked: ages, times, IPs, ids, generated names, counts. */
import { maskedValues, WRITTEN_AT } from './ignored.ts';
import type { Dropped } from './ignored.ts';
import { asChoice } from './names.ts';
import type { Names, View } from './names.ts';

/** Where a command prints which node an attempt chose. */
const PRINTED_CHOICE = /(?:NominatedNodeName|selected-node)"?: *"?node-of\([^)]*\)/g;

/**
 * The lines of a text: runs of blanks collapsed (in a table of kubectl they follow from the widest name; not so what a process wrote), values of the written list masked, a mountinfo row without
 * the ids of its mounts. The empty line at the end of a text is no line.
 */
export function outputLines(text: string, command: string, names: Names, dropped: Dropped, blanks: 'exact' | 'collapsed' = 'collapsed'): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else if (text !== '') lines.push(`${lines.pop() ?? ''} <without line end>`);
  const view = viewOfCommand(command, names);
  // What describe prints of each object above its events has blanks that no generated name moves.
  let aboveEvents = false;
  return lines.map(line => {
    if (/^(Name|Events):/.test(line)) aboveEvents = line.startsWith('Name:') && /\bdescribe\b/.test(command);
    return lineText(line, names, view, dropped, blanks === 'exact' || aboveEvents ? 'exact' : 'collapsed');
  });
}

function lineText(line: string, names: Names, view: View | undefined, dropped: Dropped, blanks: 'exact' | 'collapsed'): string {
  const mount = mountRow(line, names);
  if (mount !== undefined) {
    dropped.add('mountRow');
    return mount;
  }
  let text = names.text(line, view ?? viewOfLine(line, names)).replace(PRINTED_CHOICE, asChoice);
  for (const { pattern, by } of maskedValues) {
    text = text.replace(pattern, () => {
      dropped.add('printedValue');
      return by;
    });
  }
  if (blanks === 'exact') return text;
  return /^[\s-]+$/.test(text) ? text.trim().replace(/-+/g, '-').replace(/\s+/g, ' ') : text.trimEnd().replace(/\s+/g, ' ');
}

/** `describe pod first` is read from the pod's own point of view. */
function viewOfCommand(command: string, names: Names): View | undefined {
  const [, kind, name] = /describe (pod|pvc|pv) (\S+)/.exec(command) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  return names.viewOfName(kind === 'pod' ? 'Pod' : kind === 'pvc' ? 'PersistentVolumeClaim' : 'PersistentVolume', name);
}

/** A row of a table is read from the point of view of the object it names. */
function viewOfLine(line: string, names: Names): View | undefined {
  for (const word of line.split(/\s+/)) {
    const view = names.viewOfName(undefined, word.slice(word.indexOf('/') + 1));
    if (view !== undefined) return view;
  }
  return undefined;
}

/**
 * `1525 1509 254:0 /…/csi-hostpath-data/<handle> /data rw,relatime - ext4 …` without the ids of the two mounts, the letters of a
 * host volume, the number that the kernel gives a file system without a device (a tmpfs), and the name of the directory that a
 * Secret's or ConfigMap's files were written into.
 */
function mountRow(line: string, names: Names): string | undefined {
  const row = /^\d+ \d+ (\d+:\d+ \S+ \S+ \S+ .*- .*)$/.exec(line)?.[1];
  if (row === undefined) return undefined;
  const named = row.replace(/^0:\d+ /, '0:<number> ').replace(WRITTEN_AT, '..<time>');
  return `mount ${names.text(named)}`;
}

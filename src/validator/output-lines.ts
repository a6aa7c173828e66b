/** Lines of a command's output with what two runs do not share masked: ages, times, IPs, ids, generated names, counts. */
import type { Names, View } from './names.ts';

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const duration = '(?:\\d+y)?(?:\\d+d)?(?:\\d+h)?(?:\\d+m)?(?:\\d+s)?';

/** The written list of values that are masked in a line, in order. */
const masks: readonly { readonly what: string; readonly pattern: RegExp; readonly by: string }[] = [
  { what: 'time as kubectl describe prints it', pattern: new RegExp(`\\b\\w{3}, \\d{2} (?:${months}) \\d{4} \\d{2}:\\d{2}:\\d{2} [+-]\\d{4}`, 'g'), by: '<time>' },
  { what: 'RFC 3339 time', pattern: /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, by: '<time>' },
  { what: 'time as ls prints it', pattern: new RegExp(`\\b(?:${months}) +\\d{1,2} +\\d{2}:\\d{2}\\b`, 'g'), by: '<time>' },
  { what: 'count and span of an event', pattern: new RegExp(`\\b${duration} \\(x\\d+ over ${duration}\\)`, 'g'), by: '<age>' },
  { what: 'span in brackets', pattern: new RegExp(`\\((?:lasts )?${duration}(?: ago)?\\)`, 'g'), by: '(<age>)' },
  { what: 'age in a column', pattern: /(?<=^|\s)(?:\d+[ydhms]){1,2}(?=\s|$)/g, by: '<age>' },
];

/**
 * The lines of a text: runs of blanks collapsed, values of the written list masked, a mountinfo row reduced to mount point,
 * per-mount options and the volume's path suffix. The empty line at the end of a text is no line.
 */
export function outputLines(text: string, command: string, names: Names): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const view = viewOfCommand(command, names);
  return lines.map(line => lineText(line, names, view));
}

function lineText(line: string, names: Names, view: View | undefined): string {
  const mount = mountRow(line, names);
  if (mount !== undefined) return mount;
  let text = names.text(line, view ?? viewOfLine(line, names));
  for (const { pattern, by } of masks) text = text.replace(pattern, by);
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

/** `1525 1509 254:0 /…/csi-hostpath-data/<handle> /data rw,relatime - ext4 …` as `mount /data rw,relatime from csi-hostpath-data/<volume>`. */
function mountRow(line: string, names: Names): string | undefined {
  const row = /^\d+ \d+ \d+:\d+ (\S+) (\S+) (\S+) .*- /.exec(line);
  if (row === null) return undefined;
  const [, source = '', point = '', options = ''] = row;
  return `mount ${point} ${options} from ${names.text(source.split('/').slice(-2).join('/'))}`;
}

/** Lines of a command's output with what two runs do not share masked: ages, times, IPs, ids, generated names, counts. */
import { maskedValues } from './ignored.ts';
import type { Dropped } from './ignored.ts';
import type { Names, View } from './names.ts';

/**
 * The lines of a text: runs of blanks collapsed, values of the written list masked, a mountinfo row reduced to mount point,
 * per-mount options and the volume's path suffix. The empty line at the end of a text is no line.
 */
export function outputLines(text: string, command: string, names: Names, dropped: Dropped): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const view = viewOfCommand(command, names);
  return lines.map(line => lineText(line, names, view, dropped));
}

function lineText(line: string, names: Names, view: View | undefined, dropped: Dropped): string {
  const mount = mountRow(line, names);
  if (mount !== undefined) {
    dropped.add('mountRow');
    return mount;
  }
  let text = names.text(line, view ?? viewOfLine(line, names));
  for (const { pattern, by } of maskedValues) {
    text = text.replace(pattern, () => {
      dropped.add('printedValue');
      return by;
    });
  }
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

/** What programs that look at files and mounts print. Source of the texts: busybox 1.35. */
import { describe, expect, test } from 'vitest';
import { createTree } from '../../machines/process/filesystem.ts';
import { hostDirectory } from '../../machines/process/mounts.ts';
import { createContainerProcess } from '../../machines/process/process.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');

function answer(script: string): string {
  const mounts = [{ mountPath: '/data', tree: createTree({ mtimeMs: NOW }), readOnly: true, source: hostDirectory('/volumes/any') }, { mountPath: '/free', tree: createTree({ mode: 0o2775, gid: 2000, mtimeMs: NOW }), readOnly: false, source: hostDirectory('/volumes/free') }];
  const process = createContainerProcess({ command: ['sleep', '1d'], mounts });
  process.start(NOW);
  const { stdout, stderr, code } = process.exec(['sh', '-c', script], NOW);
  return stdout + stderr + (code === 0 ? '' : `exit ${code}\n`);
}

describe('stat', () => {
  test.each([
    ["stat -c '%a %u:%g %F' /free /data", '2775 0:2000 directory\n755 0:0 directory\n'],
    ["echo hi > /free/f; ln -s f /free/l; stat -c '%n %s %A %F %U' /free/f; stat -c '%N %F' /free/l; stat -L -c %F /free/l", "/free/f 3 -rw-r--r-- regular file root\n'/free/l' -> 'f' symbolic link\nregular file\n"],
    ['touch /free/e; stat -c %F /free/e', 'regular empty file\n'],
    ['stat -c %a /none', "stat: can't stat '/none': No such file or directory\nexit 1\n"],
  ])('%s', (script, text) => expect(answer(script)).toBe(text));
  test('says what of it is not modelled', () => {
    expect(answer('stat /data')).toContain('not modelled');
    expect(answer('stat -c %x /data')).toContain('not modelled');
  });
});

describe('mount', () => {
  test('shows where a volume stands and whether it can be written to', () => {
    expect(answer('mount | grep -E " /(data|free) " | cut -d, -f1')).toBe('/dev/vda on /data type ext4 (ro\n/dev/vda on /free type ext4 (rw\n');
    expect(answer('mount -o remount,rw /data')).toContain('not modelled');
  });
});

describe('find', () => {
  test.each([
    ['mkdir -p /free/a/b; touch /free/a/x /free/a/b/y; find /free', '/free\n/free/a\n/free/a/b\n/free/a/b/y\n/free/a/x\n'],
    ['mkdir -p /free/a/b; touch /free/a/x; find /free -type f; find /free/ -mindepth 1 -maxdepth 1', '/free/a/x\n/free/a\n'],
    ["touch /free/a.log /free/b; cd /free; find -name '*.log'", './a.log\n'],
    ['find /none', 'find: /none: No such file or directory\nexit 1\n'],
  ])('%s', (script, text) => expect(answer(script)).toBe(text));
});

describe('sha256sum', () => {
  test.each([
    ['printf abc > /free/f; sha256sum /free/f', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  /free/f\n'],
    ['sha256sum /none', "sha256sum: can't open '/none': No such file or directory\nexit 1\n"],
  ])('%s', (script, text) => expect(answer(script)).toBe(text));
});

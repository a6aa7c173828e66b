/** What a container's process can do with its mounts, its signals and its time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileTree, ProjectedFile } from '../../machines/process/filesystem.ts';
import { applyFsGroup, createBlockVolume, createTree, ensureDirectory, fsGroupMismatch, projectFiles } from '../../machines/process/filesystem.ts';
import type { MountSpec } from '../../machines/process/mounts.ts';
import { hostDirectory, tmpfs } from '../../machines/process/mounts.ts';
import type { ContainerProcess, ContainerSpec } from '../../machines/process/process.ts';
import { createContainerProcess } from '../../machines/process/process.ts';

const NOW = Date.parse('2026-11-30T17:20:00Z');

function at(mountPath: string, tree: FileTree, options: { readOnly?: boolean; source?: string } = {}): MountSpec {
  return { mountPath, tree, readOnly: options.readOnly ?? false, source: hostDirectory(options.source ?? '/volumes/one') };
}

function started(spec: ContainerSpec = {}, nowMs = NOW): ContainerProcess {
  const process = createContainerProcess({ command: ['sh', '-c', 'sleep 86400'], ...spec });
  process.start(nowMs);
  return process;
}

/** Output of a command, both streams, and its code when it is not 0. */
function run(process: ContainerProcess, script: string, nowMs = NOW): string {
  const { stdout, stderr, code } = process.exec(['sh', '-c', script], nowMs);
  return stdout + stderr + (code === 0 ? '' : `exit ${code}\n`);
}

describe('where a file lands', () => {
  it('lands on the volume below the mount path, and outlives the container', () => {
    const volume = createTree();
    run(started({ mounts: [at('/data', volume)] }), 'echo persistent > /data/proof');
    expect(run(started({ mounts: [at('/data', volume)] }), 'cat /data/proof')).toBe('persistent\n');
  });

  it('lands in the image layer beside the mount, and is gone with the container', () => {
    const volume = createTree();
    expect(run(started({ mounts: [at('/data', volume)] }), 'mkdir -p /var/lib/probe; echo lost > /var/lib/probe/proof; cat /var/lib/probe/proof; ls -A /data')).toBe('lost\n');
    expect(run(started({ mounts: [at('/data', volume)] }), 'cat /var/lib/probe/proof')).toBe("cat: can't open '/var/lib/probe/proof': No such file or directory\nexit 1\n");
  });

  it('is hidden by a volume mounted over it', () => {
    expect(run(started({ mounts: [at('/etc', createTree())] }), 'ls -A /etc')).toBe('hostname\nhosts\nresolv.conf\n');
  });

  it('goes to the mount with the longest path', () => {
    const [outer, inner] = [createTree(), createTree()];
    run(started({ mounts: [at('/data', outer), at('/data/cache', inner, { source: '/volumes/two' })] }), 'echo o > /data/f; echo i > /data/cache/f');
    expect(run(started({ mounts: [at('/x', outer), at('/y', inner)] }), 'cat /x/f; cat /y/f; ls /x; ls -A /x/cache')).toBe('o\ni\ncache\nf\n');
  });

  it('is seen at once by another container that mounts the same volume', () => {
    const volume = createTree();
    const [writer, viewer] = [started({ mounts: [at('/data', volume)] }), started({ mounts: [at('/view', volume, { readOnly: true })] })];
    run(writer, 'echo seen > /data/proof');
    expect(run(viewer, 'cat /view/proof; echo again > /view/proof')).toBe("seen\nsh: can't create /view/proof: Read-only file system\nexit 1\n");
  });

  it('lands in the directory of a subPath', () => {
    const volume = createTree();
    const part = ensureDirectory(volume, 'apps/web');
    if (part === undefined) throw new Error('no directory');
    run(started({ mounts: [at('/data', part)] }), 'echo sub > /data/f');
    expect(run(started({ mounts: [at('/all', volume)] }), 'cat /all/apps/web/f; ls -ld /all/apps | cut -c1-10')).toBe('sub\ndrwxr-xr-x\n');
  });
});

describe('a read-only mount', () => {
  const volume = createTree();
  run(started({ mounts: [at('/data', volume)] }), 'echo synthetic > /data/proof; mkdir /data/d');
  const reader = started({ mounts: [at('/data', volume, { readOnly: true })] });
  const refused: readonly (readonly [string, string])[] = [
    ['echo again > /data/proof', "sh: can't create /data/proof: Read-only file system\nexit 1\n"],
    ['echo again >> /data/proof', "sh: can't create /data/proof: Read-only file system\nexit 1\n"],
    ['echo new > /data/other', "sh: can't create /data/other: Read-only file system\nexit 1\n"],
    ['mkdir /data/x', "mkdir: can't create directory '/data/x': Read-only file system\nexit 1\n"],
    ['rm /data/proof', "rm: can't remove '/data/proof': Read-only file system\nexit 1\n"],
    ['touch /data/proof', 'touch: /data/proof: Read-only file system\nexit 1\n'],
    ['mv /data/proof /data/q', "mv: can't rename '/data/proof': Read-only file system\nexit 1\n"],
    ['chmod 600 /data/proof', 'chmod: /data/proof: Read-only file system\nexit 1\n'],
    ['test -w /data || echo not writable', 'not writable\n'],
    ['mkdir /data/d', "mkdir: can't create directory '/data/d': File exists\nexit 1\n"],
  ];
  for (const [script, text] of refused) {
    it(`refuses even root: ${script}`, () => {
      expect(run(reader, script)).toBe(text);
    });
  }

  it('is read as before', () => {
    expect(run(reader, 'cat /data/proof')).toBe('synthetic\n');
  });

  it('says ro in the mount options and rw in those of the file system', () => {
    expect(run(reader, 'grep " /data " /proc/self/mountinfo')).toMatch(/^\d+ \d+ 254:0 \/volumes\/one \/data ro,relatime - ext4 \/dev\/vda rw,/);
  });

  it('may be the whole image layer while a volume stays writable', () => {
    const process = started({ readOnlyRoot: true, mounts: [at('/data', createTree())] });
    expect(run(process, 'echo a > /data/f; cat /data/f; echo b > /tmp/f')).toBe("a\nsh: can't create /tmp/f: Read-only file system\nexit 1\n");
  });
});

describe('ownership', () => {
  const plain = { uid: 65532, gid: 65532 };

  it('keeps a process that is not root from writing to a fresh volume', () => {
    const process = started({ ...plain, mounts: [at('/data', createTree({ mtimeMs: NOW }))] });
    expect(run(process, 'id; ls -ldn /data; echo hi > /data/proof')).toBe(
      "uid=65532 gid=65532 groups=65532\ndrwxr-xr-x    2 0        0             4096 Nov 30 17:20 /data\nsh: can't create /data/proof: Permission denied\nexit 1\n",
    );
  });

  it('is changed by fsGroup: group, setgid and group write, and new files take the group', () => {
    const volume = createTree({ mtimeMs: NOW });
    applyFsGroup(volume, 2000);
    const process = started({ ...plain, groups: [2000], mounts: [at('/data', volume)] });
    expect(run(process, 'id; ls -ldn /data; echo hi > /data/proof; mkdir /data/d; ls -ln /data')).toBe(
      [
        'uid=65532 gid=65532 groups=2000,65532',
        'drwxrwsr-x    2 0        2000          4096 Nov 30 17:20 /data',
        'total 8',
        'drwxr-sr-x    2 65532    2000          4096 Nov 30 17:20 d',
        '-rw-r--r--    1 65532    2000             3 Nov 30 17:20 proof',
        '',
      ].join('\n'),
    );
  });

  it('is changed for files that are there already, and OnRootMismatch sees when nothing is to do', () => {
    const volume = createTree();
    run(started({ mounts: [at('/data', volume)] }), 'echo x > /data/f; mkdir /data/d; echo y > /data/d/g');
    expect(fsGroupMismatch(volume, 3000)).toBe(true);
    applyFsGroup(volume, 3000);
    expect(fsGroupMismatch(volume, 3000)).toBe(false);
    expect(run(started({ mounts: [at('/data', volume)] }), 'ls -lnR /data | cut -c1-32')).toContain('-rw-rw-r--    1 0        3000');
  });

  it('of a read-only volume grants the group reading only', () => {
    const volume = createTree();
    run(started({ mounts: [at('/data', volume)] }), 'echo x > /data/f; chmod 600 /data/f');
    applyFsGroup(volume, 3000, { readOnly: true });
    expect(run(started({ ...plain, groups: [3000], mounts: [at('/data', volume, { readOnly: true })] }), 'cat /data/f; ls -ln /data/f | cut -c1-10')).toBe('x\n-rw-r-----\n');
  });

  it('is the better of nothing: an owner without the bit is refused though the group has it', () => {
    const volume = createTree();
    run(started({ mounts: [at('/data', volume)] }), 'echo x > /data/f; chown 65532:65532 /data/f; chmod 040 /data/f');
    expect(run(started({ ...plain, mounts: [at('/data', volume)] }), 'cat /data/f')).toBe("cat: can't open '/data/f': Permission denied\nexit 1\n");
  });
});

describe('a Secret or ConfigMap volume', () => {
  const files = (token: string): Map<string, ProjectedFile> => new Map([['token', { content: token, mode: 0o644 }]]);

  it('shows its files through links, hidden names hidden', () => {
    const tree = createTree({ mode: 0o1777, mtimeMs: NOW });
    projectFiles(tree, files('example'), { nowMs: NOW, suffix: '42' });
    const process = started({ mounts: [{ mountPath: '/etc/token', tree, readOnly: true, source: tmpfs(2 ** 30) }] });
    expect(run(process, 'ls /etc/token; ls -A /etc/token; cat /etc/token/token; readlink /etc/token/token')).toBe(
      'token\n..2026_11_30_17_20_00.42\n..data\ntoken\nexample..data/token\n',
    );
  });

  it('changes under a running container in one step, and not at all when nothing changed', () => {
    const tree = createTree({ mode: 0o1777, mtimeMs: NOW });
    projectFiles(tree, files('old'), { nowMs: NOW, suffix: '1' });
    const process = started({ mounts: [{ mountPath: '/etc/token', tree, readOnly: true, source: tmpfs(2 ** 30) }] });
    expect(projectFiles(tree, files('old'), { nowMs: NOW + 1000, suffix: '2' })).toBe(false);
    expect(projectFiles(tree, files('new'), { nowMs: NOW + 2000, suffix: '3' })).toBe(true);
    expect(run(process, 'cat /etc/token/token; ls -A /etc/token')).toBe('new..2026_11_30_17_20_02.3\n..data\ntoken\n');
  });
});

describe('a raw block volume', () => {
  it('is a device, no directory and no mount', () => {
    const process = started({ devices: [{ devicePath: '/dev/disk0', tree: createBlockVolume(64 * 1024 * 1024) }] });
    expect(run(process, 'ls -l /dev/disk0 | cut -c1; test -d /dev/disk0 || echo not a directory; test -b /dev/disk0 && echo a device; grep -c disk0 /proc/self/mountinfo')).toBe(
      'b\nnot a directory\na device\n0\nexit 1\n',
    );
  });

  it('keeps its bytes for the next container', () => {
    const tree = createBlockVolume(1024 * 1024);
    run(started({ devices: [{ devicePath: '/dev/disk0', tree }] }), 'echo -n persistent > /dev/disk0');
    expect(run(started({ devices: [{ devicePath: '/dev/other', tree }] }), 'head -c 10 /dev/other')).toBe('persistent');
  });
});

describe('process 1', () => {
  const sleeper = (): ContainerProcess => started({ command: ['sh', '-c', 'sleep 86400'] });
  const loop = (trap: string): ContainerProcess => started({ command: ['sh', '-c', `trap ${trap} TERM; while true; do sleep 1; done`] });

  it('without a handler ignores TERM and dies by KILL with 137', () => {
    const process = sleeper();
    process.signal('TERM', NOW + 10);
    process.advance(NOW + 30_000);
    expect(process.exited).toBeUndefined();
    process.signal('KILL', NOW + 30_000);
    expect(process.exited).toEqual({ code: 137, atMs: NOW + 30_000 });
  });

  it('with a trap runs it when the command that runs has ended', () => {
    const process = loop("'exit 1'");
    run(process, 'kill 1', NOW + 2300);
    process.advance(NOW + 2900);
    expect(process.exited).toBeUndefined();
    process.advance(NOW + 3000);
    expect(process.exited).toEqual({ code: 1, atMs: NOW + 3000 });
  });

  it('with an empty trap goes on', () => {
    const process = loop("''");
    process.signal('TERM', NOW + 500);
    process.advance(NOW + 15_000);
    expect(process.exited).toBeUndefined();
    expect(process.nextWakeMs).toBe(NOW + 16_000);
  });

  it('cannot be killed from inside its container, not even with -9', () => {
    const process = sleeper();
    expect(run(process, 'kill -9 1; kill 99')).toBe("sh: can't kill pid 99: No such process\nexit 1\n");
    expect(process.exited).toBeUndefined();
  });

  it('ends with the code of its script, at the time when it ends', () => {
    const process = started({ command: ['sh', '-c', 'echo done > /data/proof; sleep 3; exit 4'], mounts: [at('/data', createTree())] });
    expect(process.nextWakeMs).toBe(NOW + 3000);
    process.advance(NOW + 10_000);
    expect(process.exited).toEqual({ code: 4, atMs: NOW + 3000 });
  });

  it('is the image shell without a command: it finds no input and ends', () => {
    expect(started({ command: undefined }).exited).toEqual({ code: 0, atMs: NOW });
  });

  it('may be any program of the image', () => {
    expect(started({ command: ['cat', '/nope'] }).output).toBe("cat: can't open '/nope': No such file or directory\n");
    expect(started({ command: ['sleep'], args: ['5'] }).nextWakeMs).toBe(NOW + 5000);
  });

  it('does not start when the image has no such program', () => {
    const process = started({ command: ['nginx'] });
    expect(process.startError).toContain('exec: "nginx": executable file not found in $PATH');
    expect(process.exited).toBeUndefined();
    expect(process.exec(['id'], NOW)).toMatchObject({ code: 1, refused: true });
  });

  it('writes at the virtual time that it reaches', () => {
    const volume = createTree();
    const process = started({ command: ['sh', '-c', 'while true; do date +%T >> /data/log; sleep 20; done'], mounts: [at('/data', volume)] });
    process.advance(NOW + 45_000);
    expect(run(process, 'cat /data/log; ls -l /data | tail -1 | cut -c45-', NOW + 45_000)).toBe('17:20:00\n17:20:20\n17:20:40\nNov 30 17:20 log\n');
  });

  it('gives way after ten thousand commands at one moment', () => {
    const process = started({ command: ['sh', '-c', 'while true; do :; done'] });
    expect(process.exited).toBeUndefined();
    expect(process.nextWakeMs).toBe(NOW + 1000);
  });
});

describe('exec', () => {
  it('tells how long the command slept', () => {
    expect(started().exec(['sh', '-c', 'sleep 2; (sleep 1; date +%S)'], NOW)).toEqual({ stdout: '03\n', stderr: '', code: 0, durationMs: 3000 });
  });

  it('can be driven beside the process', () => {
    const volume = createTree();
    const process = started({ command: ['sh', '-c', 'sleep 1; echo ready > /data/flag; sleep 86400'], mounts: [at('/data', volume)] });
    const session = process.beginExec(['sh', '-c', 'until test -f /data/flag; do sleep 0.4; done; cat /data/flag'], NOW);
    for (let now = NOW; session.result === undefined; now = Math.min(session.nextWakeMs ?? now, process.nextWakeMs ?? Number.POSITIVE_INFINITY)) {
      process.advance(now);
      session.advance(now);
    }
    expect(session.result).toEqual({ stdout: 'ready\n', stderr: '', code: 0, durationMs: 1200 });
  });

  it('gives up a command that never ends, and says so', () => {
    for (const script of ['sleep inf', 'while true; do :; done', 'while true; do sleep 3600; done']) {
      expect(started().exec(['sh', '-c', script], NOW)).toMatchObject({ stderr: 'sh: a command that does not end is not modelled by this simulation\n', code: 127 });
    }
  });

  it('runs a program without a shell', () => {
    expect(started({ mounts: [at('/data', createTree())] }).exec(['grep', '-c', ' /data ', '/proc/self/mountinfo'], NOW).stdout).toBe('1\n');
  });

  it('does not start what the image lacks', () => {
    expect(started().exec(['bash'], NOW)).toMatchObject({ code: 1, refused: true, stderr: expect.stringContaining('executable file not found in $PATH') as string });
  });
});

describe('what the simulation does not do', () => {
  const process = started();
  it('is said by its name, other than what a real container lacks', () => {
    expect(run(process, 'awk 1')).toBe('sh: awk: not modelled by this simulation\nexit 127\n');
    expect(run(process, 'curl localhost')).toBe('sh: curl: not found\nexit 127\n');
  });

  const refusals: readonly (readonly [string, string])[] = [
    ['sleep 1 & echo next', 'sh: "&" (a command in the background): not modelled by this simulation\nexit 127\n'],
    ['ls -Q', 'ls: the option "-Q" is not modelled by this simulation\nexit 127\n'],
    ['cat /proc/cpuinfo', "cat: can't open '/proc/cpuinfo': not modelled by this simulation\nexit 1\n"],
    ['getopts a x', 'sh: getopts: line 0: getopts: not modelled by this simulation\nexit 127\n'],
    ['set -x', 'sh: set: line 0: set -x: not modelled by this simulation\nexit 127\n'],
    ['x=abc; echo ${x:1:2}', 'sh: the substitution "${x:…}" is not modelled by this simulation\nexit 2\n'],
    ['ln /etc/passwd /tmp/p', 'ln: a hard link is not modelled by this simulation\nexit 127\n'],
  ];
  for (const [script, text] of refusals) {
    it(script, () => {
      expect(run(process, script)).toBe(text);
    });
  }
});

describe('the shell on any text', () => {
  const pieces = fc.constantFrom(
    'echo', 'cat', 'ls -l', '/data', '/data/f', '/etc/passwd', '>', '>>', '<', '2>&1', '|', '||', '&&', ';', '&', '\n', '(', ')', '{', '}', 'if', 'then', 'fi', 'else', 'while',
    'until', 'do', 'done', 'for', 'in', 'case', 'esac', ';;', 'true', 'false', 'sleep 1', '$x', '${x', '${x:-', '}', '$(', '$((', '))', '`', '"', "'", '\\', '$@', '*', '[a', '?', 'x=1',
    'x=$x$x$x', 'f()', 'f', 'exit', 'return', 'break', 'trap "" TERM', 'trap f EXIT', 'kill $$', 'kill 1', 'eval', 'exec', 'cd', 'rm -r /data', 'mkdir -p', 'a/b/c', 'test', '[', ']', '!', '-a', '=',
    '<<E', 'E\n', 'set -e', 'set --', 'shift', 'read x', 'printf %s%d', 'grep [', 'grep -E (', 'cut -f', 'head -c 5 /dev/zero', 'cp -r', 'mv', 'chmod u+x', 'seq 3', 'sort', 'sh -c', 'export', 'readonly x', 'local', 'unset', '.', ':', '#', '~',
  );
  const script = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 25 }).map((parts) => parts.join(' ')),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  );

  it('never throws, as exec or as the process itself', () => {
    fc.assert(
      fc.property(script, fc.constantFrom(0, 1000), (text, uid) => {
        const process = started({ uid, mounts: [at('/data', createTree())] });
        const result = process.exec(['sh', '-c', text], NOW);
        expect(result.code).toBeGreaterThanOrEqual(0);
        expect(result.code).toBeLessThan(256);
        const main = started({ command: ['sh', '-c', text], mounts: [at('/data', createTree())] });
        main.signal('TERM', NOW + 1);
        main.advance(NOW + 5000);
        main.signal('KILL', NOW + 5000);
        expect(main.startError ?? main.exited).toBeDefined();
      }),
      { numRuns: 3000 },
    );
  });

  it('answers the same twice', () => {
    fc.assert(
      fc.property(script, (text) => {
        const once = (): unknown => {
          const volume = createTree();
          const process = started({ mounts: [at('/data', volume)] });
          return [process.exec(['sh', '-c', text], NOW), run(process, 'ls -lR /data', NOW)];
        };
        expect(once()).toEqual(once());
      }),
      { numRuns: 300 },
    );
  });
});

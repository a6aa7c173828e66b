/** The commands as a person runs them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'after-bound-cli-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(command: 'simulate' | 'validate', ...args: string[]): { readonly code: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/node'), [`src/cli/${command}.ts`, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { code: status, out: stdout, err: stderr };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const scenario = 'content/scenarios/provision-quota.yaml';
const trace = 'content/traces/provision-quota/1.json';

describe('simulate', () => {
  it('writes a trace to standard output, the same bytes every time', () => {
    const first = run('simulate', scenario);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(first.out)).toMatchObject({ format: 'after-bound/trace@1', scenario: { id: 'provision-quota' } });
    expect(run('simulate', scenario).out).toBe(first.out);
  });

  it('writes to a file with --out, and takes the stage from --like', () => {
    const out = join(folder, 'out.json');
    expect(run('simulate', scenario, '--like', trace, '--out', out, '--seed', '7')).toEqual({ code: 0, out: '', err: '' });
    const written = JSON.parse(readFileSync(out, 'utf8')) as { stage: unknown };
    expect(written.stage).toEqual((JSON.parse(readFileSync(join(root, trace), 'utf8')) as { stage: unknown }).stage);
  });

  it.each([
    ['a folder that is not there', join(folder, 'nowhere/out.json'), `cannot write ${join(folder, 'nowhere/out.json')}: there is no folder ${join(folder, 'nowhere')}; make it first`],
    ['a folder', folder, `cannot write ${folder}: it is a folder`],
    ['a place below a file', join(root, scenario, 'out.json'), `cannot write ${join(root, scenario, 'out.json')}: a part of its path is a file, not a folder`],
    ['no name at all', '', 'cannot write "": there is no such file'],
  ])('cannot write into %s, says why and ends with 2', (_, out, message) => {
    expect(run('simulate', scenario, '--out', out)).toEqual({ code: 2, out: '', err: `error: ${message}\n` });
  });

  it.each(['', ' ', 'abc', '-1', '1.5', '0x10', '1e3', '9007199254740993'])('takes no seed "%s"', (seed) => {
    const { code, out, err } = run('simulate', scenario, '--seed', seed);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`argument '${seed}' is invalid. expected a whole number, 0 or more`);
  });

  it.runIf(existsSync('/dev/full'))('tells of a full disk behind standard output, without a stack', () => {
    const { status, stderr } = spawnSync('sh', ['-c', '"$0" src/cli/simulate.ts "$1" >/dev/full', join(root, 'node_modules/.bin/node'), scenario], { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('error: cannot write to standard output: no space left on the disk\n');
    expect(status).toBe(2);
  });

  it('names the depth as the one fault of a text that is nested too deeply', () => {
    const path = file('deep.yaml', `a: ${'['.repeat(100_000)}`);
    expect(run('simulate', path)).toEqual({ code: 2, out: '', err: `error: ${path} is not a valid scenario:\n  ${path}:1: this is no valid YAML: it is nested too deeply\n` });
  });

  const steps = (text: string): string => `id: one\ntitle: One\ncovers: []\nnamespace: ns\nsteps:\n${text}\n`;

  it('tells of a wait that was not met, which ends the run', () => {
    const path = file('unmet.yaml', steps('- wait: {gone: node/ab-worker, timeout: 1}\n- settle: 1'));
    const { code, out, err } = run('simulate', path);
    expect(code).toBe(0);
    expect(err).toBe(`note: ${path}: the run ended at step 0: not met after 1 s: {"gone":"node/ab-worker"}\n`);
    expect(JSON.parse(out)).toMatchObject({ failed: { step: 0 } });
  });

  it.each([
    ['delete: {target: constructor/x}', 'step 0: no target "constructor/x": expected KIND/NAME'],
    ['wait: {gone: jobs/x}', 'step 0: no target "jobs/x": expected KIND/NAME'],
    ['wait: {event: Pulled, on: __proto__/x}', 'step 0: no target "__proto__/x": expected KIND/NAME'],
    ['node: {name: nowhere, action: pause}', 'step 0: no node "nowhere" on the stage'],
  ])('with the step %s names file and step and ends with 2', (step, message) => {
    const path = file('step.yaml', steps(`- ${step}`));
    const { code, out, err } = run('simulate', path);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`error: ${path}: ${message}`);
  });

  it.each<[string, string[], string]>([
    ['a file that is not there', ['nowhere.yaml'], 'cannot read nowhere.yaml: there is no such file'],
    ['a folder', ['content/scenarios'], 'cannot read content/scenarios: it is a folder'],
    ['a file that is no scenario', ['package.json'], 'package.json is not a valid scenario:'],
    ['a trace that is none', [scenario, '--like', 'package.json'], 'package.json is not a valid trace:'],
    ['a seed that is no number', [scenario, '--seed', 'abc'], 'expected a whole number, 0 or more'],
    ['no file', [], "missing required argument 'scenario'"],
    ['an option that is none', [scenario, '--fast'], "unknown option '--fast'"],
  ])('with %s says so and ends with an error', (_, args, message) => {
    const { code, out, err } = run('simulate', ...args);
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n {4}at /);
  });
});

describe('validate', () => {
  it('of a run that differs ends with 1 and prints the differences as JSON', () => {
    const text = readFileSync(join(root, trace), 'utf8').replaceAll('Waiting for a volume to be created', 'Waiting for a miracle');
    const { code, out } = run('validate', '--json', file('altered.json', text));
    expect(code).toBe(1);
    const report = JSON.parse(out) as { traces: { differences: { expected: string }[] }[]; total: { missing: number } };
    expect(report.total.missing).toBeGreaterThan(0);
    expect(report.traces[0]?.differences.some(({ expected }) => expected.includes('Waiting for a miracle'))).toBe(true);
  });

  it('of recordings against each other ends with 0 where they agree', () => {
    expect(run('validate', '--recordings', 'content/traces/provision-quota')).toMatchObject({ code: 0, err: '' });
  });

  it.each<[string, string[], string]>([
    ['a file that is not there', ['nowhere.json'], 'cannot read nowhere.json: there is no such file'],
    ['a folder without traces', ['content/scenarios'], 'no trace (*.json) under content/scenarios'],
    ['a file that is no trace', ['package.json'], 'package.json is not a valid trace:'],
    ['a scenario that is not recorded', ['--scenario', 'unheard-of'], 'no recording of scenario unheard-of among the files given'],
  ])('with %s says so and ends with 2', (_, args, message) => {
    const { code, out, err } = run('validate', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

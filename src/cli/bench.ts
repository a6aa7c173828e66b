/** `npm run bench [-- --json]`: what the simulated cluster costs, beside what XState alone costs in the same process. */
import { Command } from 'commander';
import { createActor, createMachine } from 'xstate';
import { buildStage, simulate } from '../../machines/index.ts';
import { startCluster } from '../../machines/run/simulate.ts';
import { applyManifest } from '../../machines/run/apply.ts';
import { ZONAL_DRIVER } from '../../machines/drivers/zonal.ts';
import { violationsOf } from '../../machines/trace/invariants.ts';
import { parseScenario } from '../formats/scenario.ts';
import { readText } from './files.ts';
import { runMain } from './main.ts';

/** Nodes of the large runs, in three zones, the zonal driver on each without a limit. */
const NODES = 100;
const ZONES = ['zone-a', 'zone-b', 'zone-c'];
const NAMESPACE = 'bench';
/** Virtual seconds after which a run that is not done counts as stuck. */
const PATIENCE = 3600;
const SCENARIO = 'content/scenarios/missing-secret.yaml';

interface Run {
  readonly objects: number;
  readonly seconds: number;
  readonly transitions: number;
  /** What reached a component: watch events, timers that came due, events of statecharts. */
  readonly messages: number;
  readonly virtualSeconds: number;
  readonly records: number;
}

/** Processor time of this thread, so that other programs on the machine do not count; the clock where Node cannot tell. */
function threadSeconds(): number {
  // Node 20 and 22 do not have it.
  const threadCpuUsage = process.threadCpuUsage as typeof process.threadCpuUsage | undefined;
  if (!threadCpuUsage) return performance.now() / 1000;
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1e6;
}

/** N claims with a pod each, from the first apply until the last pod is Running; the whole trace is kept and checked. */
function runMany(objects: number): Run {
  const world = startCluster({ stage: buildStage(Array.from({ length: NODES }, (_, i) => ({ name: `node-${i}`, zone: ZONES[i % ZONES.length], drivers: [{ name: ZONAL_DRIVER }] }))) });
  let running = 0;
  world.api.watch('Pod', ({ object, old }) => {
    if (object.status.phase === 'Running' && old?.status.phase !== 'Running') running++;
  });
  const start = threadSeconds();
  for (let i = 0; i < objects; i++) {
    applyManifest(world.api, claim(`disk-${i}`), NAMESPACE);
    applyManifest(world.api, pod(`pod-${i}`, `disk-${i}`), NAMESPACE);
  }
  while (running < objects && world.clock.now < PATIENCE * 1000) world.clock.runUntil(world.clock.now + 100);
  const seconds = threadSeconds() - start;
  if (running < objects) throw new Error(`bench: ${running} of ${objects} pods run after ${PATIENCE} virtual seconds`);
  const [violation] = violationsOf(world.trace.records);
  if (violation) throw new Error(`bench: at ${violation.t} s: ${violation.rule}: ${violation.what}`);
  const { transitions } = world.trace;
  return { objects, seconds, transitions, messages: transitions + world.api.delivered + world.clock.fired, virtualSeconds: world.clock.now / 1000, records: world.trace.records.length };
}

function claim(name: string): unknown {
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec: { storageClassName: 'zonal-immediate', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } } };
}

function pod(name: string, claimName: string): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      containers: [{ name: 'app', image: 'registry.local/busybox:1.36', command: ['sh', '-c', 'sleep 86400'], volumeMounts: [{ name: 'disk', mountPath: '/data' }] }],
      volumes: [{ name: 'disk', persistentVolumeClaim: { claimName } }],
    },
  };
}

/** Events per second of one warm XState actor with two states. */
function rawXstatePerSecond(): number {
  const actor = createActor(createMachine({ initial: 'off', states: { off: { on: { TOGGLE: 'on' } }, on: { on: { TOGGLE: 'off' } } } })).start();
  const send = (times: number): number => {
    const start = threadSeconds();
    for (let i = 0; i < times; i++) actor.send({ type: 'TOGGLE' });
    return threadSeconds() - start;
  };
  send(100_000);
  const times = 300_000;
  return times / Math.min(send(times), send(times), send(times));
}

/** Milliseconds of one run of a recorded scenario, warm. */
function missingSecretMs(): number {
  const scenario = parseScenario(readText(SCENARIO), SCENARIO);
  const times = Array.from({ length: 12 }, () => {
    const start = threadSeconds();
    simulate(scenario);
    return (threadSeconds() - start) * 1000;
  });
  return times.toSorted((a, b) => a - b)[5] ?? 0;
}

interface Options {
  readonly json?: boolean;
}

const program = new Command('bench')
  .description('Measures the simulated cluster: 1,000 and 10,000 claims with pods, one recorded scenario, raw XState beside them.')
  .option('--json', 'print the figures as JSON')
  .showHelpAfterError()
  .action((options: Options) => {
    const secret = missingSecretMs();
    const raw = rawXstatePerSecond();
    // Each figure is the better of two. Compiling is in them: what a thousand objects cost once V8 has compiled all is beside.
    const small = better(runMany(1000), runMany(1000));
    const first = runMany(10_000);
    // Before the second run, which finds the memory of the first still taken.
    const peakMiB = round(process.resourceUsage().maxRSS / 1024);
    const large = better(first, runMany(10_000));
    const warm = Array.from({ length: 4 }, () => runMany(1000)).reduce(better);
    const figures = {
      perObjectUs1k: round((small.seconds * 1e6) / small.objects),
      perObjectUs10k: round((large.seconds * 1e6) / large.objects),
      eventsPerSecond: round(large.transitions / large.seconds),
      rawXstatePerSecond: round(raw),
      peakMiB,
      missingSecretMs: Math.round(secret * 10) / 10,
      transitionsPerObject: Math.round((large.transitions / large.objects) * 10) / 10,
      messagesPerSecond: round(large.messages / large.seconds),
      recordsPerObject: Math.round((large.records / large.objects) * 10) / 10,
      virtualSeconds10k: round(large.virtualSeconds),
      warmPerObjectUs1k: round((warm.seconds * 1e6) / warm.objects),
    };
    process.stdout.write(options.json ? `${JSON.stringify(figures)}\n` : report(figures));
  });

function better(a: Run, b: Run): Run {
  return a.seconds < b.seconds ? a : b;
}
function round(value: number): number {
  return Math.round(value);
}
function report(figures: Readonly<Record<string, number>>): string {
  const width = Math.max(...Object.keys(figures).map((key) => key.length));
  return Object.entries(figures).map(([key, value]) => `${key.padEnd(width)}  ${value.toLocaleString('en')}\n`).join('');
}

runMain(() => program.parse());

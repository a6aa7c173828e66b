/** `npm run --silent simulate -- SCENARIO.yaml [--like TRACE.json] [--out FILE] [--seed N]` */
import { Command, InvalidArgumentError } from 'commander';
import { DEFAULT_SEED, simulate, StepError, type Failed } from '../../machines/index.ts';
import { choicesFrom } from '../formats/like.ts';
import { parseScenario } from '../formats/scenario.ts';
import { parseTrace } from '../formats/trace.ts';
import { readText, UserError, writeText } from './files.ts';
import { runMain } from './main.ts';

interface Options {
  readonly like?: string;
  readonly out?: string;
  readonly seed: number;
}

const program = new Command('simulate')
  .description('Simulates a scenario and writes its trace (after-bound/trace@1).')
  .argument('<scenario>', 'scenario file (YAML)')
  .option('--like <trace>', 'take the stage, the first node of each pod and the zone of each volume from this trace, and nothing else')
  .option('--out <file>', 'write the trace there instead of to standard output')
  .option('--seed <number>', 'same scenario, stage, choices and seed: same bytes', seedOf, DEFAULT_SEED)
  .showHelpAfterError()
  .action((file: string, options: Options) => {
    const scenario = parseScenario(readText(file), file);
    const like = options.like === undefined ? undefined : choicesFrom(parseTrace(readText(options.like), options.like));
    const trace = takeSteps(file, () => simulate(scenario, { ...like, seed: options.seed }));
    noteFailure(file, trace.failed as Failed);
    const text = `${JSON.stringify(trace, null, 1)}\n`;
    if (options.out === undefined) process.stdout.write(text);
    else writeText(options.out, text);
  });

runMain(() => program.parse());

/** A wait that was not met ends the run; the trace says so, and whoever reads only the terminal learns it too. */
function noteFailure(file: string, failed: Failed): void {
  if (failed !== null) process.stderr.write(`note: ${file}: the run ended at step ${failed.step}: ${failed.message}\n`);
}

/** A step that cannot be done at all is told with the file it stands in. */
function takeSteps<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof StepError ? new UserError(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

function seedOf(text: string): number {
  // Number() takes also what nobody means as a seed: an empty text is 0 to it.
  const seed = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(seed)) throw new InvalidArgumentError(`expected a whole number, 0 or more and at most ${Number.MAX_SAFE_INTEGER}`);
  return seed;
}

/** `npm run --silent validate -- [--json] [TRACE.json…]` */
import { Command } from 'commander';
import { machineCatalogue } from '../../machines/catalogue.ts';
import { simulate } from '../../machines/index.ts';
import { supported } from '../../machines/supported.ts';
import { parseTrace } from '../formats/trace.ts';
import { OTHER_SEEDS, judge } from '../validator/judge.ts';
import type { NamedTrace } from '../validator/judge.ts';
import { jsonReport, textReport } from '../validator/report.ts';
import { UserError, filesUnder, readText } from './files.ts';
import { runMain } from './main.ts';

interface Options {
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly scenario?: string;
  readonly recordings?: boolean;
}

const program = new Command('validate')
  .description('Simulates the scenario of each recorded trace and compares the run with all recordings of that scenario among the files given. Exits 1 on any difference.')
  .argument('[traces...]', 'recorded traces (JSON files or folders of them)', ['content/traces'])
  .option('--json', 'print the report as JSON')
  .option('--verbose', 'print for each difference what was expected, what was found and why it matters, in full')
  .option('--scenario <ids>', 'only recordings of these scenarios (comma-separated)')
  .option('--recordings', 'judge each recording against the others of its scenario instead of simulating: how far real runs agree')
  .showHelpAfterError()
  .action((paths: string[], options: Options) => {
    const traces = chosen(read(paths), options.scenario);
    const judged = judge(traces, options.recordings === true ? 'other recordings' : (scenario, like, seed) => simulate(scenario, { ...like, seed }), supported, machineCatalogue, OTHER_SEEDS);
    process.stdout.write(options.json === true ? jsonReport(judged) : textReport(judged, options.verbose === true));
    if (judged.judgements.some(judgement => judgement.differences.length > 0)) process.exitCode = 1;
  });

runMain(() => program.parse());

function read(paths: readonly string[]): NamedTrace[] {
  const files = paths.flatMap(path => filesUnder(path, '.json'));
  if (files.length === 0) throw new UserError(`no trace (*.json) under ${paths.join(', ')}`);
  return files.map(file => ({ file, trace: parseTrace(readText(file), file) }));
}

function chosen(traces: readonly NamedTrace[], scenario: string | undefined): readonly NamedTrace[] {
  if (scenario === undefined) return traces;
  const wanted = new Set(scenario.split(',').map(id => id.trim()));
  const unknown = [...wanted].filter(id => !traces.some(named => named.trace.scenario.id === id));
  if (unknown.length > 0) throw new UserError(`no recording of scenario ${unknown.join(', ')} among the files given`);
  return traces.filter(named => wanted.has(named.trace.scenario.id));
}

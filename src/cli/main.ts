/** Runs a command and turns an expected error into its message and exit code 2. */
import { StepError } from '../../machines/index.ts';
import { FormatError } from '../formats/format-error.ts';
import { reasonOf, UserError } from './files.ts';

export function runMain(main: () => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may have seen enough (`| head`).
    if (error.code === 'EPIPE') return;
    process.stderr.write(`error: cannot write to standard output: ${reasonOf(error)}\n`);
    process.exitCode = 2;
  });
  try {
    main();
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof UserError || error instanceof StepError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 2;
  }
}

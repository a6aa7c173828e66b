/** Does the actions of progress files again, away from the page, so that no file can stop it: a message in, an answer for each task. */
import { seldomCommands } from '../../machines/run/seldom-commands.ts';
import type { LabData } from '../lab/data.ts';
import { provideSeldom, runWith } from '../lab/engine-chunk.ts';
import { replay } from './replay.ts';
import type { ReplayAnswer, ReplayRequest } from './replayer.ts';

// Away from the page it does not matter how much is loaded.
provideSeldom(seldomCommands);

const labs = new Map<string, Promise<LabData>>();

function labOf(address: string): Promise<LabData> {
  let lab = labs.get(address);
  if (lab === undefined) {
    lab = fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`${address}: HTTP ${answer.status}`);
      return answer.json() as Promise<LabData>;
    });
    labs.set(address, lab);
  }
  return lab;
}

const say = (answer: ReplayAnswer): void => postMessage(answer);

addEventListener('message', (event: MessageEvent<ReplayRequest>) => {
  const { task, entry, lab } = event.data;
  labOf(lab).then(
    (data) => say({ replay: replay(task, entry, data, { runWith }) }),
    (error: unknown) => say({ failed: error instanceof Error ? error.message : String(error) }),
  );
});

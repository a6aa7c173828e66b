/** A lab's state that a talk plans, found in the run when the site is built. */
import { seldomCommands } from '../../machines/run/seldom-commands.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { kindOf, limitOf, nameIs } from '../course/when.ts';
import type { Action } from '../lab/actions.ts';
import { actionOf, readDeed } from '../lab/deeds.ts';
import type { LabData } from '../lab/data.ts';
import { provideSeldom, runWith, sharedUntil, type Base } from '../lab/engine-chunk.ts';
import type { LabState, PanelName } from '../lab/state.ts';
import { startState } from '../lab/state.ts';
import { baseOf, type Run } from '../lab/use-run.ts';
import { keyStep } from '../trace-view/history.ts';
import type { StationName } from '../trace-view/station-names.ts';
import { stepOfRecord, steps } from '../trace-view/steps.ts';
import { objectKey, worldAt } from '../trace-view/world.ts';
import { labData } from './lab-data.ts';

provideSeldom(seldomCommands);

export interface Plan {
  readonly lab: string;
  readonly at: string | undefined;
  readonly press: string | undefined;
  readonly station: StationName | undefined;
  readonly object: string | undefined;
  readonly panel: PanelName | undefined;
  readonly pod: string | undefined;
}

export interface PlannedLab {
  readonly data: LabData;
  readonly state: LabState;
  readonly run: Run;
}

/** Throws where the run does not come to what is planned. */
export function plannedLab(plan: Plan): PlannedLab {
  const data = labData(plan.lab);
  const actions = actionsOf(data, (plan.press ?? '').split(';').filter((deed) => deed.trim() !== ''));
  const run = runAt(data, actions);
  const step = plan.at === undefined ? keyStep(run.trace, plan.pod) : stepOfRecord(run.trace, limitOf(run.trace, plan.at));
  const index = steps(run.trace)[step]?.index ?? -1;
  return {
    data,
    run,
    state: {
      ...startState(plan.lab, step, actions.length === 0 ? data.source : 0),
      actions,
      pod: plan.pod,
      station: plan.station,
      object: plan.object === undefined ? undefined : keyIn(run.trace, index, plan.object),
      panel: plan.panel,
    },
  };
}

/** Deeds as actions, each found in the run that the ones before it made. */
export function actionsOf(data: Base, deeds: readonly string[], before: readonly Action[] = []): Action[] {
  const actions = [...before];
  for (const deed of deeds) actions.push(actionOf(runWith(data, actions), readDeed(deed)));
  return actions;
}

function runAt(data: LabData, actions: readonly Action[]): Run {
  if (actions.length === 0) return baseOf(data);
  const shared = sharedUntil(actions);
  return {
    trace: runWith(data, actions),
    without: runWith(data, actions.slice(0, -1)),
    recorded: shared > 0 ? data.recorded : undefined,
    coveredUntil: shared,
    charts: [],
    made: { recording: 0, actions },
  };
}

/** `pvc/disk` as the key of the object that it is at a moment. */
function keyIn(trace: Trace, index: number, named: string): string {
  const [kind = '', name = ''] = named.split('/');
  const found = [...worldAt(trace, index).objects.values()].find(({ object }) => object.kind === kindOf(kind) && nameIs(trace, object.metadata.name, kind, name, index));
  if (found === undefined) throw new Error(`${trace.scenario.id}: there is no ${named} at record ${index}`);
  return objectKey(found.object);
}

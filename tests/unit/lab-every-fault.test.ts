/** Whatever a lab offers to change can be changed: no button that does nothing, none that only says why it cannot. */
import { expect, test } from 'vitest';
import { simulate } from '../../machines/index.ts';
import { applyAction } from '../helpers/apply-action.ts';
import { offersAt } from '../../src/lab/offers.ts';
import { baseRun, scenarioIds } from '../../src/site/runs.ts';
import { keyStep } from '../../src/trace-view/history.ts';
import { lineAt } from '../../src/trace-view/stations.ts';
import { steps } from '../../src/trace-view/steps.ts';

test.each(scenarioIds())('every fault that %s offers changes its scenario', (id) => {
  const { trace } = baseRun(id);
  const all = steps(trace);
  for (const step of new Set([0, keyStep(trace, undefined), Math.floor(all.length / 2), all.length - 1])) {
    const index = all[step]?.index ?? 0;
    for (const offer of offersAt(trace, index, lineAt(trace, index)).filter(({ kind }) => kind === 'fault')) {
      expect(applyAction(trace.scenario, offer.action, trace).steps, JSON.stringify(offer.action)).not.toEqual(trace.scenario.steps);
    }
  }
});

test.each([
  ['statefulset-templates', 'data-web-0', 'ControllerPublishVolume', 'FailedAttachVolume'],
  ['ephemeral-volume', 'scratch-disk', 'NodeStageVolume', 'FailedMount'],
] as const)('a claim of a template in %s fails as asked', (id, claim, method, reason) => {
  const { trace } = baseRun(id);
  const changed = simulate(applyAction(trace.scenario, { do: 'fail', claim, method, on: true }, trace));
  const reasons = changed.records.flatMap((record) => (record.type === 'watch' && record.object.kind === 'Event' ? [record.object.reason] : []));
  expect(reasons).toContain(reason);
});

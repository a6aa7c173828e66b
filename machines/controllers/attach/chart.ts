/** One volume on one node, as the attach-detach controller sees it. The key is `node/unique volume name`. */
import { chart, type Lane, type Lanes } from '../../kernel/machine.ts';

export const attachChart = chart({
  id: 'attach',
  initial: 'wanted',
  states: {
    wanted: { on: { ATTACH: 'attaching', REFUSE: 'multiAttach' } },
    multiAttach: { on: { ATTACH: 'attaching', DETACH: 'detaching', REFUSE: 'multiAttach' } },
    attaching: { on: { ATTACHED: 'attached', FAIL: 'attachFailed' } },
    attachFailed: { on: { ATTACH: 'attaching', DETACH: 'detaching', REFUSE: 'multiAttach' } },
    attached: { on: { DETACH: 'detaching', LOSE: 'detached' } },
    detaching: { on: { DETACHED: 'detached', FAIL: 'detachFailed' } },
    detachFailed: { on: { DETACH: 'detaching', ATTACH: 'attaching', REFUSE: 'multiAttach' } },
    detached: { on: { WANT: 'wanted' } },
  },
});

type AttachState = (typeof attachChart.states)[number];
type AttachEvent = (typeof attachChart.transitions)[number]['event'];
export type AttachLane = Lane<AttachState, AttachEvent>;
export type AttachLanes = Lanes<AttachState, AttachEvent>;

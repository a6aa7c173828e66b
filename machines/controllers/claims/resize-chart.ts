/** The states of a claim that grows; their names are those of status.allocatedResourceStatuses (ref 10). */
import { chart } from '../../kernel/machine.ts';

/** One lane per claim, key `namespace/name`. */
export const resizeChart = chart({
  id: 'resize',
  initial: 'atRest',
  states: {
    atRest: { on: { REQUEST: 'requested', CONTROLLER_START: 'controllerResizeInProgress' } },
    requested: { on: { CONTROLLER_START: 'controllerResizeInProgress', CONTROLLER_REFUSE: 'controllerResizeInfeasible', NODE_PENDING: 'nodeResizePending', NODE_START: 'nodeResizeInProgress', FINISH: 'atRest' } },
    controllerResizeInProgress: { on: { REQUEST: 'requested', CONTROLLER_REFUSE: 'controllerResizeInfeasible', NODE_PENDING: 'nodeResizePending', FINISH: 'atRest' } },
    controllerResizeInfeasible: { on: { REQUEST: 'requested', CONTROLLER_START: 'controllerResizeInProgress', FINISH: 'atRest' } },
    nodeResizePending: { on: { REQUEST: 'requested', CONTROLLER_START: 'controllerResizeInProgress', NODE_START: 'nodeResizeInProgress', FINISH: 'atRest' } },
    nodeResizeInProgress: { on: { REQUEST: 'requested', CONTROLLER_START: 'controllerResizeInProgress', NODE_REFUSE: 'nodeResizeInfeasible', FINISH: 'atRest' } },
    nodeResizeInfeasible: { on: { REQUEST: 'requested', CONTROLLER_START: 'controllerResizeInProgress', NODE_START: 'nodeResizeInProgress', FINISH: 'atRest' } },
  },
});

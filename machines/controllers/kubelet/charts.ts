/** What a kubelet knows: its pods' volumes, the devices it has staged, its pods and their containers. */
import { chart, type Lane } from '../../kernel/machine.ts';

/** One volume of one pod. The key is `namespace/pod/volume`. */
export const kubeletVolumeChart = chart({
  id: 'kubelet-volume',
  initial: 'wanted',
  states: {
    wanted: { on: { VERIFY: 'waitingForAttach', STAGE: 'staging', PUBLISH: 'publishing', FAIL_STAGE: 'stageFailed', FAIL_PUBLISH: 'publishFailed' } },
    waitingForAttach: { on: { VERIFIED: 'attachVerified' } },
    attachVerified: { on: { STAGE: 'staging', PUBLISH: 'publishing', FAIL_STAGE: 'stageFailed', FAIL_PUBLISH: 'publishFailed' } },
    staging: { on: { STAGED: 'staged', FAIL_STAGE: 'stageFailed' } },
    staged: { on: { PUBLISH: 'publishing', FAIL_PUBLISH: 'publishFailed' } },
    stageFailed: { on: { STAGE: 'staging', PUBLISH: 'publishing', FAIL_STAGE: 'stageFailed', FAIL_PUBLISH: 'publishFailed', UNPUBLISH: 'unpublishing' } },
    publishing: { on: { PUBLISHED: 'published', FAIL_PUBLISH: 'publishFailed' } },
    published: { on: { PUBLISH: 'publishing', FAIL_PUBLISH: 'publishFailed', UNPUBLISH: 'unpublishing' } },
    publishFailed: { on: { STAGE: 'staging', PUBLISH: 'publishing', FAIL_STAGE: 'stageFailed', FAIL_PUBLISH: 'publishFailed', UNPUBLISH: 'unpublishing' } },
    unpublishing: { on: { UNPUBLISHED: 'unpublished' } },
    unpublished: { on: { WANT: 'wanted' } },
  },
});

export type VolumeLane = Lane<(typeof kubeletVolumeChart.states)[number], (typeof kubeletVolumeChart.transitions)[number]['event']>;

/**
 * One volume staged on one node for all its pods there. The key is `node/unique volume name`. A stage that ended without a
 * final answer may have worked, so it is unstaged all the same.
 */
export const kubeletDeviceChart = chart({
  id: 'kubelet-device',
  initial: 'unstaged',
  states: {
    unstaged: { on: { STAGE: 'staging', UNSTAGE: 'unstaging' } },
    staging: { on: { STAGED: 'staged', FAIL: 'unstaged' } },
    staged: { on: { UNSTAGE: 'unstaging', STAGE: 'staging' } },
    unstaging: { on: { UNSTAGED: 'unstaged' } },
  },
});

export type DeviceLane = Lane<(typeof kubeletDeviceChart.states)[number], (typeof kubeletDeviceChart.transitions)[number]['event']>;

/** One pod in its worker. The key is `namespace/pod`. */
export const podWorkerChart = chart({
  id: 'pod-worker',
  initial: 'waitingForVolumes',
  states: {
    waitingForVolumes: { on: { WAIT: 'waitingForVolumes', READY: 'volumesReady', TERMINATE: 'terminating' } },
    volumesReady: { on: { START: 'starting', TERMINATE: 'terminating' } },
    starting: { on: { RUN: 'running', TERMINATE: 'terminating' } },
    running: { on: { TERMINATE: 'terminating' } },
    terminating: { on: { STOPPED: 'unmounting' } },
    unmounting: { on: { GONE: 'gone' } },
    gone: { type: 'final' },
  },
});

/** One container. The key is `namespace/pod/container`. */
export const containerChart = chart({
  id: 'container',
  initial: 'creating',
  states: {
    creating: { on: { START: 'running', FAIL: 'exited' } },
    running: { on: { EXIT: 'exited' } },
    exited: { on: { START: 'running', BACK_OFF: 'backOff', FAIL: 'exited' } },
    backOff: { on: { START: 'running', BACK_OFF: 'backOff', FAIL: 'exited' } },
  },
});

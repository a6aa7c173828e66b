/** What the parts of one kubelet share. */
import type { EventRecorder } from '../../kernel/event-recorder.ts';
import type { Lanes } from '../../kernel/machine.ts';
import type { World } from '../../kernel/world.ts';
import type { Pod } from '../../model/objects.ts';
import type { containerChart, podWorkerChart } from './charts.ts';
import type { NodeClock } from './node-clock.ts';
import type { Relist } from './relist.ts';
import type { StatusManager } from './status-manager.ts';
import type { VolumeManager } from './volume-manager.ts';

export interface KubeletEnvironment {
  readonly world: World;
  readonly node: string;
  readonly clock: NodeClock;
  readonly recorder: EventRecorder;
  readonly volumes: VolumeManager;
  readonly statuses: StatusManager;
  readonly relist: Relist;
  readonly workerLanes: Lanes<(typeof podWorkerChart.states)[number], (typeof podWorkerChart.transitions)[number]['event']>;
  readonly containerLanes: Lanes<(typeof containerChart.states)[number], (typeof containerChart.transitions)[number]['event']>;
  /** A free address of the node's pod range. */
  nextPodIP(): string;
  /** The pod's containers are gone: what it asked for is free. */
  stopped(pod: Pod): void;
  /** The worker has nothing left to do. */
  finished(uid: string): void;
}

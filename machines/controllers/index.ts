/** Every controller of the simulated cluster. Each is started with the world and then lives on watches and timers alone. */
import type { World } from '../kernel/world.ts';
import { startExpandController } from './claims/expand-controller.ts';
import { startResizers } from './claims/resizer.ts';
import { startClaimProtection, startVolumeProtection } from './claims/protection.ts';
import { startPersistentVolumeController } from './claims/pv-controller.ts';
import { startProvisioners } from './claims/provisioners.ts';
import { startAttachDetach } from './attach/index.ts';
import { startAttachers } from './attacher.ts';
import { startKubelets } from './kubelet/index.ts';
import { startEphemeralVolumeController } from './ephemeral.ts';
import { startScheduler } from './scheduler/index.ts';
import { startHeartbeats } from './nodes/heartbeat.ts';
import { startNodeLifecycle } from './nodes/node-lifecycle.ts';
import { startNodeStatus } from './nodes/node-status.ts';
import { startPodGarbageCollector } from './nodes/pod-gc.ts';
import { startTaintEviction } from './nodes/taint-eviction.ts';
import { startDeploymentController } from './workloads/deployment.ts';
import { startDisruptionController } from './workloads/disruption.ts';
import { startGarbageCollector } from './workloads/garbage-collector.ts';
import { startReplicaSetController } from './workloads/replicaset.ts';
import { startStatefulSetController } from './workloads/statefulset.ts';

export type StartController = (world: World) => void;

export const CONTROLLERS: readonly StartController[] = [
  startGarbageCollector,
  startDeploymentController,
  startReplicaSetController,
  startStatefulSetController,
  startDisruptionController,
  startHeartbeats,
  startNodeStatus,
  startNodeLifecycle,
  startTaintEviction,
  startPodGarbageCollector,
  startEphemeralVolumeController,
  startScheduler,
  startPersistentVolumeController,
  startProvisioners,
  startClaimProtection,
  startVolumeProtection,
  startExpandController,
  startResizers,
  startAttachDetach,
  startAttachers,
  startKubelets,
];

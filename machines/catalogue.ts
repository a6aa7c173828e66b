/** Every state chart of the simulated cluster, by its id: what the site draws and what the witness table must cover. */
import { attachChart } from './controllers/attach/chart.ts';
import { attacherChart } from './controllers/attacher.ts';
import { containerChart, kubeletDeviceChart, kubeletVolumeChart, podWorkerChart } from './controllers/kubelet/charts.ts';
import { claimBindingChart, volumeChart } from './controllers/claims/binding-charts.ts';
import { claimProtectionChart, volumeProtectionChart } from './controllers/claims/protection.ts';
import { provisioningChart, volumeDeletionChart } from './controllers/claims/provisioning-charts.ts';
import { ephemeralChart } from './controllers/ephemeral.ts';
import { preemptionChart, schedulingChart } from './controllers/scheduler/chart.ts';
import { nodeLifecycleChart } from './controllers/nodes/node-lifecycle.ts';
import { taintEvictionChart } from './controllers/nodes/taint-eviction.ts';
import { deploymentChart } from './controllers/workloads/deployment.ts';
import { replicaSetChart } from './controllers/workloads/replicaset.ts';
import { statefulSetChart } from './controllers/workloads/statefulset.ts';
import { resizeChart } from './controllers/claims/resize-chart.ts';
import type { Chart } from './kernel/machine.ts';

const CHARTS: readonly Chart[] = [
  nodeLifecycleChart,
  taintEvictionChart,
  deploymentChart,
  replicaSetChart,
  statefulSetChart,
  ephemeralChart,
  schedulingChart,
  preemptionChart,
  claimBindingChart,
  volumeChart,
  provisioningChart,
  volumeDeletionChart,
  claimProtectionChart,
  volumeProtectionChart,
  resizeChart,
  attachChart,
  attacherChart,
  kubeletVolumeChart,
  kubeletDeviceChart,
  podWorkerChart,
  containerChart,
];

export const machineCatalogue: ReadonlyMap<string, Chart> = new Map(CHARTS.map((chart) => [chart.id, chart]));

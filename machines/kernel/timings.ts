/**
 * Every delay of the simulated cluster, in milliseconds, with the place it comes from. A figure marked "recordings" is
 * what the recorded runs show for the step, not a constant of Kubernetes.
 */
export const timings = {
  /** From a write in the store to a controller's handler (recordings: 0–2 ms). */
  watchLatency: 1,
  /** One write request of a controller, from deciding to the store (recordings: 8–20 ms between the writes of a bind). */
  request: 10,
  /** kubectl apply: process start and discovery until the write (recordings: 0.15–0.2 s). */
  kubectlApply: 185,
  /** kubectl apply of several objects: from one object's write to the next one's, a look and a write each (recordings: 10–27 ms). */
  kubectlNextObject: 18,
  /** kubectl after its last write (recordings: 50 ms). */
  kubectlReturn: 55,
  /** kubectl delete: process start until the write (recordings: 0.1 s). */
  kubectlDelete: 100,
  /** kubectl patch: process start until the write (recordings: 0.08 s). */
  kubectlPatch: 80,
  /** docker pause, kubectl taint (recordings: 0.13 s). */
  nodeAction: 130,
  /** kubectl get / describe: start to end (recordings: 0.1 s). */
  kubectlRun: 115,
  /** kubectl exec: start to end without the command's own time (recordings: 0.15–0.25 s, half of them below 0.19). */
  kubectlExec: 190,
  /** net/http's TLS handshake timeout: how long the API server waits for a kubelet that stands still. */
  tlsHandshakeTimeout: 10_000,
  /** How often the recorder looks whether a wait is met (traces' README). */
  waitPoll: 100,
  /** PVClaimBinderSyncPeriod (ref 2). */
  claimResync: 15_000,
  /** A sidecar's patch of a volume's finalizers, which comes after its other work (recordings: 10–60 ms). */
  finalizerPatch: 30,
  /** --retry-interval-start and --retry-interval-max of the CSI sidecars (ref 0.5). */
  sidecarRetryStart: 1_000,
  sidecarRetryMax: 300_000,
  /** Resync period of the provisioner's informers (ref 4). */
  provisionerResync: 900_000,
  /** local-path: how long its helper pod takes, how often it looks, how long it waits (recordings: 2.1–3.2 s; its defaults). */
  helperPod: 3_000,
  helperPodPoll: 1_000,
  helperPodTimeout: 120_000,
  /** How long a request that the driver calls wrong is not repeated (ref 4.2). */
  infeasibleDelay: 300_000,
  /** Kubelet node status period, ±4 % (ref 7). */
  nodeStatus: 10_000,

  /** Attach-detach controller: reconciler loop (ref 5). */
  attachLoop: 100,
  /** Attach-detach controller: its create or delete of a VolumeAttachment (recordings: 5–10 ms). */
  attachmentWrite: 6,
  /** Attach-detach controller: first look at a VolumeAttachment, and the longest pause between two looks (csi_attacher.go). */
  attachFirstLook: 500,
  attachLookMax: 7_000,
  /** How long an attach or detach waits for the external attacher (csiTimeout, ref 5). */
  attachTimeout: 120_000,
  /** Attach-detach controller: its write of node.status.volumesAttached (recordings: 10–20 ms). */
  attachedReport: 14,
  /** Attach-detach controller: from that write to the look whether a detach is safe (recordings: 5 ms). */
  detachVerify: 5,
  /** VerifyVolumesAreAttached (ReconcilerSyncLoopPeriod, ref 5). */
  attachSync: 60_000,
  /** Force detach of an unhealthy node's volume (maxWaitForUnmountDuration, ref 5). */
  forceDetach: 360_000,
  /** A node's status is written at least this often (nodeStatusReportFrequency). */
  nodeReport: 300_000,
  /** Attach-detach controller: full look at all pods (dswp listPodsRetryDuration, ref 5). */
  attachPodList: 180_000,
  /** A sidecar's or the kubelet's CSI call, from the decision to the driver's answer (recordings: 3–5 ms controller, 5–20 ms node). */
  csiCall: 4,
  /** external-attacher: from a volume's deletion to the removal of its finalizer (recordings: 70–110 ms, after the other finalizers). */
  attacherVolumeFinalizer: 75,
  /** Scheduler: from a pod's arrival in the queue to its scheduling cycle, and the cycle itself (recordings: 0–3 ms, 1–10 ms). */
  schedulerWake: 1,
  schedulingCycle: 4,
  /** Scheduler PreBind: how often it looks at the claims, and for how long (ref 3.4: bindTimeoutSeconds). */
  volumeBindPoll: 1_000,
  volumeBindTimeout: 600_000,
  /** From an owner's end to the garbage collector's delete of what it owned (recordings: 30–45 ms). */
  garbageCollection: 35,
  /** Kubelet: a CSI call on the node that mounts, with the kubelet's own work around it (recordings: 10–20 ms). */
  nodeCsiCall: 12,
  /** Kubelet: populator and reconciler loop of the volume manager (ref 7). */
  kubeletLoop: 100,
  /** Kubelet: the look whether the controller has attached a volume (recordings: 7–12 ms). */
  verifyAttached: 8,
  /** Kubelet: setting up or tearing down a Secret, ConfigMap, token, emptyDir or hostPath volume (recordings: 2–25 ms). */
  localMount: 4,
  /** Kubelet: how often a pod's sync looks whether its volumes are mounted, and for how long (ref 7). */
  volumeWaitPoll: 300,
  volumeWaitTimeout: 123_000,
  /** Kubelet: period of the look at all containers (recordings: 1.004 s from relist to relist). */
  relist: 1_004,
  /** How long that look takes. */
  relistTakes: 5,
  /** Kubelet: pod worker, next sync after success and after an error, each up to half as long again (ref 7.1). */
  podResync: 60_000,
  podRetry: 10_000,
  /** Kubelet: from a pod's binding to its first sync (recordings: 5–30 ms). */
  podAdmission: 12,
  /** Kubelet: from a pod's deadline to its sync: pods are looked at once a second, on average half of it passes (kubelet.go syncLoop). */
  deadlineLook: 500,
  /** Kubelet: from a status to its write (recordings: 12–20 ms). */
  statusWrite: 15,
  /** Kubelet: volumes mounted to first container's image found: the pod's sandbox and network (recordings: 0.22–0.27 s). */
  sandboxStart: 240,
  /** Kubelet: the same for a container in a sandbox that runs (recordings: 45–50 ms). */
  imageCheck: 45,
  /** Kubelet: from asking for an image to the answer that there is none to be had (no recording covers it). */
  failedPull: 900,
  /** Kubelet: image found to container created, created to started (recordings: 20–40 ms, 0.11–0.16 s). */
  containerCreate: 25,
  containerStart: 125,
  /** Kubelet: from asking the runtime for a command in a container until the command begins (as `kubectl exec`, which needs as long for the same and more for itself). */
  execStart: 60,
  /** Kubelet: container stopped to sandbox stopped and pod status known (recordings: 0.32–0.39 s). */
  sandboxStop: 340,
  /** Kubelet: least grace period between SIGTERM and SIGKILL (kuberuntime_container.go minimumGracePeriodInSeconds). */
  minimumGrace: 2_000,
  /** Kubelet: volumes unmounted to the pod object's deletion (recordings: 30–45 ms). */
  podDeletion: 38,
  /** Kubelet: container restart back-off (ref 14.13; kuberuntime). */
  crashBackOff: 10_000,
  crashBackOffMax: 300_000,
  /** How often a kubelet renews its node's lease: a quarter of leaseDurationSeconds 40 (pkg/kubelet/kubelet.go). */
  leaseRenewal: 10_000,
  /** node-monitor-period and node-monitor-grace-period (ref 12). */
  nodeMonitor: 5_000,
  nodeGrace: 50_000,
  /** From a node's condition to its NoSchedule taint (recordings: 5–35 ms). */
  noScheduleTaint: 20,
  /** From Unknown to the NoExecute taint: a pass every 0.1 s (recordings: 0.18–0.22 s). */
  noExecuteTaint: 190,
  /** From Unknown to the first pod's Ready False (recordings: 35–95 ms). */
  podNotReady: 60,
  /** One NoExecute taint per zone in 10 s: node-eviction-rate 0.1 (node_lifecycle_controller.go). */
  evictionInterval: 10_000,
  /** gcCheckPeriod and quarantineTime of the pod garbage collector (ref 12). */
  podGc: 20_000,
  orphanQuarantine: 40_000,
  /** syncPeriod of the kubelet's status manager is 10 s; on average half of it passes (pkg/kubelet/status/status_manager.go). */
  statusBatch: 5_000,
} as const;

/**
 * Scenarios that nobody wrote: each step draws on a verb and, where it makes something, on the faults that a class, a
 * manifest or a node can have. Names come from small pools, so that steps meet each other's objects.
 */
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { Scenario, Step } from '../../machines/trace/scenario.ts';

const CLAIMS = ['disk', 'data', 'spare'] as const;
const PODS = ['first', 'second', 'third'] as const;
const VOLUMES = ['by-hand', 'other-hand'] as const;
const WORKERS = ['worker', 'worker2', 'worker3'] as const;
const CLASSES = ['hostpath-immediate', 'hostpath-wait', 'zonal-immediate', 'zonal-immediate', 'zonal-wait', 'zonal-wait', 'standard', '', 'made', 'made', 'grows', 'keeps', 'nowhere'] as const;
const SIZES = ['64Mi', '128Mi', '1Gi'] as const;
const METHODS = ['CreateVolume', 'DeleteVolume', 'ControllerPublishVolume', 'ControllerUnpublishVolume', 'NodeStageVolume', 'NodePublishVolume'] as const;
const CODES = ['Internal', 'ResourceExhausted', 'DeadlineExceeded', 'InvalidArgument', 'PermissionDenied', 'Aborted', 'Unavailable', 'FailedPrecondition'] as const;
const IMAGE = 'registry.local/busybox:1.36';
const SLEEP = 'sleep 86400';
const COMMANDS = [SLEEP, SLEEP, SLEEP, 'exit 1', 'echo done > /data/proof', "trap '' TERM; while true; do sleep 1; done"] as const;
const SHELL = ['echo persistent > /data/proof; cat /data/proof', 'cat /data/proof', 'grep " /data " /proc/self/mountinfo', 'kill 1', 'ls -l /etc/token'] as const;
const COMMAND_LINES = ['kubectl get pod,pvc,pv', 'kubectl get pod -o wide', 'kubectl describe pod first', 'kubectl describe pvc disk', 'kubectl get volumeattachment', 'kubectl get pv -o yaml', 'kubectl get node', 'kubectl get event',
  'kubectl describe node ab-worker', 'kubectl events --for pod/first', 'kubectl logs first', 'kubectl logs first --previous', 'kubectl get pdb', 'kubectl describe pdb web', 'kubectl wait pod/first --for=condition=Ready --timeout=20s', 'kubectl wait pvc/disk --for=delete --timeout=10s',
  'kubectl drain ab-worker --ignore-daemonsets --delete-emptydir-data --force --timeout=40s', 'kubectl drain ab-worker2 --timeout=10s', 'kubectl uncordon ab-worker', 'kubectl uncordon ab-worker2', 'kubectl cordon ab-worker2'] as const;

type Fields = Readonly<Record<string, unknown>>;
const one = <T>(items: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...items);
/** True once in `n` times. */
const rarely = (n: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: n }).map((i) => i === 1);
/** A value once in `n` times, else null. */
const sometimes = <T>(n: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.oneof({ weight: n - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
const applied = (object: Fields): Step => ({ apply: stringify(object) });

const modes = fc.oneof(
  { weight: 6, arbitrary: fc.constant(['ReadWriteOnce']) },
  { weight: 3, arbitrary: fc.constant(['ReadWriteOncePod']) },
  { weight: 1, arbitrary: fc.constant(['ReadWriteMany']) },
  { weight: 1, arbitrary: fc.constant(['ReadOnlyMany', 'ReadWriteOnce']) },
);

const claimStep = fc
  .record({ name: one(CLAIMS), storageClassName: one(CLASSES), accessModes: modes, storage: one(SIZES), block: rarely(6), volumeName: sometimes(8, one(VOLUMES)), noClass: rarely(12) })
  .map(({ name, storageClassName, accessModes, storage, block, volumeName, noClass }) =>
    applied({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: { ...(noClass ? {} : { storageClassName }), accessModes, ...(block ? { volumeMode: 'Block' } : {}), ...(volumeName === null ? {} : { volumeName }), resources: { requests: { storage } } },
    }),
  );

const classStep = fc
  .record({ name: fc.constantFrom('made', 'grows', 'keeps'), zonal: fc.boolean(), wait: fc.boolean(), method: fc.option(one(METHODS), { freq: 3 }), code: one(CODES), times: fc.integer({ min: 0, max: 4 }), onlyZoneA: rarely(5) })
  .map(({ name, zonal, wait, method, code, times, onlyZoneA }) =>
    applied({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name },
      provisioner: zonal || name !== 'grows' ? 'disk.csi.after-bound.dev' : 'hostpath.csi.k8s.io',
      volumeBindingMode: wait ? 'WaitForFirstConsumer' : 'Immediate',
      reclaimPolicy: name === 'keeps' ? 'Retain' : 'Delete',
      ...(name === 'grows' ? { allowVolumeExpansion: true } : {}),
      ...(method === null ? {} : { parameters: { [`fail.${method}`]: `${code} x${times}: on request` } }),
      ...(onlyZoneA ? { allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.disk.csi.after-bound.dev/zone', values: ['zone-a'] }] }] } : {}),
    }),
  );

const volumeStep = fc
  .record({ name: one(VOLUMES), storage: one(SIZES), accessModes: modes, storageClassName: one(['', 'by-hand', 'zonal-wait']), node: sometimes(3, one(WORKERS)), forClaim: sometimes(4, one(CLAIMS)), policy: one(['Retain', 'Delete']), block: rarely(6) })
  .map(({ name, storage, accessModes, storageClassName, node, forClaim, policy, block }) =>
    applied({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage },
        accessModes,
        storageClassName,
        persistentVolumeReclaimPolicy: policy,
        ...(block ? { volumeMode: 'Block' } : {}),
        ...(node === null ? { hostPath: { path: `/var/${name}`, type: 'DirectoryOrCreate' } } : { local: { path: `/var/${name}` }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [`ab-${node}`] }] }] } } }),
        ...(forClaim === null ? {} : { claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: forClaim, namespace: 'ab-any' } }),
      },
    }),
  );

const sh = (command: string): Fields => ({ exec: { command: ['sh', '-c', command] } });
const probe = (command: string, numbers: Fields = {}): Fields => ({ ...sh(command), periodSeconds: 2, failureThreshold: 2, ...numbers });
const sidecar = (container: Fields = {}): Fields => ({ initContainers: [{ name: 'beside', image: IMAGE, restartPolicy: 'Always', command: ['sh', '-c', SLEEP], ...container }] });

/** What a pod says of its life: of its container, and of itself. */
const life = fc.constantFrom<{ readonly container?: Fields; readonly pod?: Fields }>(
  { container: { readinessProbe: probe('test -e /data/proof') } },
  { container: { livenessProbe: probe('test -e /data/proof', { initialDelaySeconds: 3 }) } },
  { container: { startupProbe: probe('test ! -e /data/proof'), livenessProbe: probe('sleep 5', { timeoutSeconds: 1, terminationGracePeriodSeconds: 2 }) } },
  { container: { lifecycle: { preStop: sh('echo persistent > /data/proof'), postStart: sh('echo started') } } },
  { container: { lifecycle: { preStop: sh('exit 3') } } },
  { container: { lifecycle: { preStop: { sleep: { seconds: 1 } }, postStart: sh('exit 4') } } },
  { container: { lifecycle: { postStart: sh('sleep 30') } } },
  { pod: { activeDeadlineSeconds: 12 } },
  { pod: sidecar() },
  { pod: sidecar({ startupProbe: probe('true'), lifecycle: { preStop: sh('sleep 1') } }) },
  { container: { image: 'registry.local/database:1' } },
  { container: { image: 'registry.local/database:1', imagePullPolicy: 'Never' } },
);

const budgetStep = fc.record({ few: fc.boolean(), app: one(['web', 'any']), count: one([0, 1, '50%']) }).map(({ few, app, count }) =>
  applied({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: app }, spec: { ...(few ? { maxUnavailable: count } : { minAvailable: count }), selector: app === 'any' ? {} : { matchLabels: { app } } } }),
);

/** What a pod mounts beside or instead of a claim. */
const extraVolume = fc.constantFrom<Fields>(
  { name: 'scratch', emptyDir: {} },
  { name: 'token', secret: { secretName: 'token', optional: true } },
  { name: 'token', secret: { secretName: 'token' } },
  { name: 'settings', configMap: { name: 'settings', items: [{ key: 'app.conf', path: 'app.conf' }] } },
  { name: 'settings', configMap: { name: 'settings' } },
  { name: 'scratch', emptyDir: {} },
  { name: 'host', hostPath: { path: '/var/absent', type: 'Directory' } },
  { name: 'host', hostPath: { path: '/var/made', type: 'DirectoryOrCreate' } },
  { name: 'own', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'zonal-wait', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } } } } },
);

const podParts = fc.record({
  name: one(PODS),
  claims: fc.uniqueArray(one(CLAIMS), { minLength: 0, maxLength: 2 }),
  extras: fc.uniqueArray(extraVolume, { maxLength: 2, selector: (volume) => volume['name'] }),
  where: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: one(WORKERS).map((node) => ({ nodeSelector: { 'kubernetes.io/hostname': `ab-${node}` } })) }, { weight: 1, arbitrary: one(WORKERS).map((node) => ({ nodeName: `ab-${node}` })) }, { weight: 1, arbitrary: one(['zone-a', 'zone-b']).map((zone) => ({ nodeSelector: { 'topology.kubernetes.io/zone': zone } })) }),
  command: one(COMMANDS),
  grace: one([0, 1, 1, 5]),
  block: rarely(6),
  readOnly: rarely(5),
  important: rarely(6),
  once: rarely(4),
  fsGroup: rarely(6),
  brief: rarely(3),
  wants: sometimes(8, one(['100m', '100'])),
  lives: sometimes(4, life),
});

const podStep = podParts.map(({ name, claims, extras, where, command, grace, block, readOnly, important, once, fsGroup, brief, wants, lives }) => {
  const mounts = [...claims.map((claim, i) => ({ name: claim, mountPath: i === 0 ? '/data' : `/more/${claim}`, ...(readOnly ? { readOnly } : {}) })), ...extras.map((volume) => ({ name: volume['name'], mountPath: `/etc/${String(volume['name'])}` }))];
  const devices = block ? claims.map((claim) => ({ name: claim, devicePath: `/dev/${claim}` })) : [];
  return applied({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: grace,
      ...where,
      ...(important ? { priorityClassName: 'system-cluster-critical' } : {}),
      ...(once ? { restartPolicy: 'Never' } : {}),
      ...(fsGroup ? { securityContext: { fsGroup: 65532 } } : {}),
      ...(brief ? { tolerations: [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] } : {}),
      containers: [
        {
          name: 'app',
          image: IMAGE,
          command: ['sh', '-c', command],
          volumeMounts: mounts.filter((mount) => !devices.some((device) => device.name === mount.name)),
          ...(devices.length > 0 ? { volumeDevices: devices } : {}),
          ...(wants === null ? {} : { resources: { requests: { cpu: wants } } }),
          ...lives?.container,
        },
      ],
      ...lives?.pod,
      volumes: [...claims.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: claim } })), ...extras],
    },
  });
});

const workloadStep = fc.record({ stateful: fc.boolean(), replicas: fc.integer({ min: 0, max: 3 }), recreate: fc.boolean(), parallel: fc.boolean(), claim: one(CLAIMS), revision: one(['1', '2']), probed: rarely(3) }).map(({ stateful, replicas, recreate, parallel, claim, revision, probed }) => {
  const container = { name: 'app', image: IMAGE, command: ['sh', '-c', SLEEP], volumeMounts: [{ name: 'data', mountPath: '/data' }], ...(probed ? { readinessProbe: probe('ls /data') } : {}) };
  const template = { metadata: { labels: { app: 'web' }, annotations: { revision } }, spec: { terminationGracePeriodSeconds: 1, containers: [container], ...(stateful ? {} : { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }] }) } };
  const spec = { replicas, selector: { matchLabels: { app: 'web' } }, template };
  if (!stateful) return applied({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { ...spec, strategy: { type: recreate ? 'Recreate' : 'RollingUpdate' } } });
  const claimTemplate = { metadata: { name: 'data' }, spec: { storageClassName: 'zonal-wait', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } } };
  return applied({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' }, spec: { ...spec, serviceName: 'db', podManagementPolicy: parallel ? 'Parallel' : 'OrderedReady', volumeClaimTemplates: [claimTemplate] } });
});

const payloadStep = fc.constantFrom<Step>(
  applied({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token' }, stringData: { token: 'example' } }),
  applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { 'other.conf': 'x=1' } }),
  applied({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { 'app.conf': 'x=2' } }),
);

const target = fc.oneof(
  { weight: 4, arbitrary: one(PODS).map((name) => `pod/${name}`) },
  { weight: 3, arbitrary: one(CLAIMS).map((name) => `pvc/${name}`) },
  { weight: 2, arbitrary: one(CLAIMS).map((name) => `pv-of/${name}`) },
  { weight: 1, arbitrary: one(CLAIMS).map((name) => `va-of/${name}`) },
  { weight: 1, arbitrary: one(VOLUMES).map((name) => `pv/${name}`) },
  { weight: 1, arbitrary: fc.constantFrom('secret/token', 'configmap/settings', 'sc/made', 'sc/keeps', 'deployment/web', 'statefulset/db') },
);
const deleteStep = fc.record({ target, wait: rarely(4), force: rarely(4) }).map((options): Step => ({ delete: options }));

const NO_FINALIZERS = { metadata: { finalizers: null } };
const patchStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: one(CLAIMS), storage: one(['32Mi', '256Mi', '2Gi']) }).map(({ name, storage }): Step => ({ patch: { target: `pvc/${name}`, merge: { spec: { resources: { requests: { storage } } } } } })) },
  { weight: 2, arbitrary: one(CLAIMS).map((name): Step => ({ patch: { target: `pv-of/${name}`, merge: { spec: { claimRef: null } } } })) },
  { weight: 2, arbitrary: fc.record({ name: one(CLAIMS), policy: one(['Retain', 'Delete']) }).map(({ name, policy }): Step => ({ patch: { target: `pv-of/${name}`, merge: { spec: { persistentVolumeReclaimPolicy: policy } } } })) },
  { weight: 2, arbitrary: fc.oneof(one(CLAIMS).map((name) => `pvc/${name}`), one(CLAIMS).map((name) => `pv-of/${name}`)).map((name): Step => ({ patch: { target: name, merge: NO_FINALIZERS } })) },
  { weight: 2, arbitrary: fc.record({ name: fc.constantFrom('deployment/web', 'statefulset/db'), replicas: fc.integer({ min: 0, max: 3 }) }).map(({ name, replicas }): Step => ({ patch: { target: name, merge: { spec: { replicas } } } })) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ patch: { target: 'deployment/web', merge: { spec: { template: { metadata: { annotations: { revision: '3' } } } } } } }) },
);

const settleStep = fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 20 }) }, { weight: 2, arbitrary: fc.integer({ min: 60, max: 130 }) }, { weight: 1, arbitrary: fc.constant(420) }).map((settle): Step => ({ settle }));
/** Waits that a run may well not meet are short: one that is not met ends its run. */
const waitStep = fc.oneof(one(PODS).map((name): Step => ({ wait: { gone: `pod/${name}`, timeout: 30 } })), one(CLAIMS).map((name): Step => ({ wait: { for: `pvc/${name}`, path: 'status.phase', equals: 'Bound', timeout: 30 } })), one(PODS).map((name): Step => ({ wait: { for: `pod/${name}`, condition: 'Ready', timeout: 40 } })));
const runStep = one(COMMAND_LINES).map((run): Step => ({ run }));
const execStep = fc.record({ pod: one(PODS), sh: one(SHELL) }).map((exec): Step => ({ exec }));
const nodeStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: one(WORKERS), action: fc.constantFrom('pause' as const, 'unpause' as const, 'unpause' as const) }).map((node): Step => ({ node })) },
  { weight: 2, arbitrary: fc.record({ name: one(WORKERS), action: fc.constantFrom('taint' as const, 'untaint' as const), taint: one(['dedicated=batch:NoSchedule', 'maintenance=yes:NoExecute', 'node.kubernetes.io/out-of-service=nodeshutdown:NoExecute']) }).map((node): Step => ({ node })) },
);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 7, arbitrary: claimStep },
  { weight: 9, arbitrary: podStep },
  { weight: 4, arbitrary: classStep },
  { weight: 2, arbitrary: volumeStep },
  { weight: 2, arbitrary: workloadStep },
  { weight: 2, arbitrary: payloadStep },
  { weight: 6, arbitrary: deleteStep },
  { weight: 3, arbitrary: patchStep },
  { weight: 9, arbitrary: settleStep },
  { weight: 1, arbitrary: waitStep },
  { weight: 2, arbitrary: runStep },
  { weight: 2, arbitrary: execStep },
  { weight: 3, arbitrary: nodeStep },
  { weight: 1, arbitrary: budgetStep },
);

/** A claim and a pod for a chapter; the pod on `node` where it is given. */
function claimOf(name: string, storageClassName: string, extra: Fields = {}): Step {
  return applied({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name }, spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } }, ...extra } });
}
function podOf(name: string, claim: string, extra: Fields = {}, container: Fields = { volumeMounts: [{ name: 'disk', mountPath: '/data' }] }): Step {
  return applied({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { terminationGracePeriodSeconds: 1, ...extra, containers: [{ name: 'app', image: IMAGE, command: ['sh', '-c', SLEEP], ...container }], volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: claim } }] },
  });
}
const onNode = (node: string): Fields => ({ nodeSelector: { 'kubernetes.io/hostname': `ab-${node}` } });
const growing: Step = applied({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'grows' }, provisioner: 'hostpath.csi.k8s.io', allowVolumeExpansion: true });
const moreImportant = { priorityClassName: 'system-cluster-critical' };

/** What makes a claim not fit a volume of 64Mi, ReadWriteOnce, Filesystem, class by-hand. */
const MISFITS: readonly Fields[] = [{ resources: { requests: { storage: '1Gi' } } }, { storageClassName: 'zonal-wait' }, { volumeMode: 'Block' }, { accessModes: ['ReadWriteMany'] }];

/** Longer ways that single steps rarely find: each ends where the next step may take it anywhere. */
const chapterSteps: fc.Arbitrary<readonly Step[]> = fc
  .record({ settle: fc.integer({ min: 8, max: 16 }), claim: fc.constantFrom(...CLAIMS, 'fresh', 'fresher', 'freshest'), node: fc.constantFrom('worker', 'worker2'), n: fc.integer({ min: 0, max: 18 }), method: one(METHODS), code: one(CODES), times: fc.integer({ min: 1, max: 5 }), misfit: one(MISFITS) })
  .map(({ settle, claim, node, n, method, code, times, misfit }): readonly Step[] => {
    const rest: Step = { settle };
    const other = node === 'worker' ? 'worker2' : 'worker';
    // A class keeps its parameters for ever, so each fault has a class of its own.
    const failing = `fails-${method}-${code}-${times}`.toLowerCase();
    switch (n) {
      case 0: // grows while it is used
        return [growing, claimOf(claim, 'grows'), podOf('first', claim), rest, { patch: { target: `pvc/${claim}`, merge: { spec: { resources: { requests: { storage: '128Mi' } } } } } }, { settle: 100 }];
      case 1: // exclusive, and somebody more important comes
        return [claimOf(claim, 'zonal-immediate', { accessModes: ['ReadWriteOncePod'] }), podOf('first', claim), rest, podOf('second', claim, moreImportant), rest];
      case 2: // exclusive, and somebody equal comes
        return [claimOf(claim, 'zonal-immediate', { accessModes: ['ReadWriteOncePod'] }), podOf('first', claim), rest, podOf('second', claim), rest, { delete: { target: 'pod/first' } }, rest];
      case 3: // two nodes
        return [claimOf(claim, 'zonal-immediate'), podOf('first', claim, onNode(node)), rest, podOf('second', claim, onNode(other)), rest, { delete: { target: 'pod/first' } }, rest];
      case 4: // the node goes silent, somebody steps in
        return [claimOf(claim, 'zonal-immediate'), podOf('first', claim, onNode(node)), rest, { node: { name: node, action: 'pause' } }, { settle: 75 }, podOf('second', claim, onNode(other)), { delete: { target: 'pod/first', wait: false } }, rest, { node: { name: node, action: 'taint', taint: 'node.kubernetes.io/out-of-service=nodeshutdown:NoExecute' } }, { settle: 40 }, { node: { name: node, action: 'unpause' } }, { settle: 30 }];
      case 5: // a device
        return [claimOf(claim, 'hostpath-immediate', { volumeMode: 'Block' }), podOf('first', claim, {}, { volumeDevices: [{ name: 'disk', devicePath: '/dev/disk0' }] }), rest];
      case 6: // a device mounted, a disk as a device
        return [claimOf(claim, 'hostpath-immediate', { volumeMode: settle % 2 === 0 ? 'Block' : 'Filesystem' }), podOf('first', claim, {}, settle % 2 === 0 ? undefined : { volumeDevices: [{ name: 'disk', devicePath: '/dev/disk0' }] }), rest];
      case 7: // the volume is taken away
        return [claimOf(claim, 'zonal-immediate'), rest, { patch: { target: `pv-of/${claim}`, merge: NO_FINALIZERS } }, { delete: { target: `pv-of/${claim}`, wait: false } }, { patch: { target: `pv-of/${claim}`, merge: NO_FINALIZERS } }, rest, podOf('third', claim), rest];
      case 8: // written, and read by the next pod
        return [claimOf(claim, 'zonal-immediate'), podOf('first', claim, onNode(node)), rest, { exec: { pod: 'first', sh: 'echo persistent > /data/proof; cat /data/proof' } }, { exec: { pod: 'first', sh: 'grep " /data " /proc/self/mountinfo' } }, { delete: { target: 'pod/first', wait: true } }, podOf('first', claim, onNode(other)), { settle: settle + 16 }, { exec: { pod: 'first', sh: 'cat /data/proof' } }];
      case 9: // kept, freed, taken again
        return [applied({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'keeps' }, provisioner: 'disk.csi.after-bound.dev', reclaimPolicy: 'Retain' }), claimOf(claim, 'keeps'), rest, { delete: { target: `pvc/${claim}` } }, { settle: 3 }, { patch: { target: `pv-of/${claim}`, merge: { spec: { claimRef: null } } } }, claimOf(claim, 'keeps'), rest];
      case 10: // deleted under a pod
        return [claimOf(claim, 'zonal-immediate'), podOf('first', claim), rest, { delete: { target: `pvc/${claim}`, wait: false } }, podOf('second', claim), rest, { delete: { target: 'pod/first', wait: false } }, rest];
      case 11: // more disks than the node takes
        return [...['a', 'b', 'c', 'd'].flatMap((name) => [claimOf(name, 'zonal-wait'), podOf(`pod-${name}`, name, onNode('worker3'))]), { settle: settle + 8 }];
      case 12: // somebody else's claim has the name that the pod's own claim would get
        return [claimOf('third-own', 'zonal-immediate'), applied({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'third' }, spec: { terminationGracePeriodSeconds: 1, containers: [{ name: 'app', image: IMAGE, command: ['sh', '-c', SLEEP] }], volumes: [{ name: 'own', ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'zonal-wait', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } } } } }] } }), rest];
      case 13: // a driver's call fails a few times
        return [
          applied({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: failing }, provisioner: 'disk.csi.after-bound.dev', parameters: { [`fail.${method}`]: `${code} x${times}: on request` } }),
          claimOf(claim, failing),
          podOf('first', claim, onNode(node)),
          { settle: settle + 30 },
          { delete: { target: 'pod/first', wait: true } },
          { delete: { target: `pvc/${claim}`, wait: false } },
          { settle: settle + 10 },
        ];
      case 14: // a volume of a driver that the node does not have
        return [
          applied({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'other-hand' }, spec: { capacity: { storage: '64Mi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'by-hand', csi: { driver: 'hostpath.csi.k8s.io', volumeHandle: 'by-hand-1' } } }),
          claimOf(claim, 'by-hand', { volumeName: 'other-hand' }),
          podOf('second', claim, onNode('worker3')),
          { settle: settle + 10 },
        ];
      case 15: // pods that avoid each other
        return [
          applied({
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: 'apart' },
            spec: {
              replicas: 4,
              selector: { matchLabels: { app: 'apart' } },
              template: { metadata: { labels: { app: 'apart' } }, spec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app: 'apart' } }, topologyKey: 'kubernetes.io/hostname' }] } }, containers: [{ name: 'app', image: IMAGE, command: ['sh', '-c', SLEEP] }] } },
            },
          }),
          rest,
          { delete: { target: 'deployment/apart', wait: false } },
        ];
      case 16: // the node is emptied, and comes back
        return [claimOf(claim, 'zonal-immediate'), podOf('first', claim, onNode(node)), rest, { run: `kubectl drain ab-${node} --ignore-daemonsets --delete-emptydir-data --force --timeout=40s` }, rest, podOf('second', claim), rest, { run: `kubectl uncordon ab-${node}` }, rest];
      case 17: // a claim that names a volume which does not fit
        return [applied({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'other-hand' }, spec: { capacity: { storage: '64Mi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'by-hand', hostPath: { path: '/var/other-hand' } } }), claimOf(claim, 'by-hand', { volumeName: 'other-hand', ...misfit }), rest];
      default: // a volume that names its claim, a claim that names its volume, and neither fits
        return [applied({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'by-hand' }, spec: { capacity: { storage: '64Mi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'by-hand', hostPath: { path: '/var/by-hand' }, claimRef: { name: 'somebody-else', namespace: 'ab-any' } } }), claimOf(claim, 'by-hand', { volumeName: 'by-hand' }), claimOf('data', 'zonal-wait', { volumeName: 'by-hand' }), rest];
    }
  });

/** A chapter on a stage that an earlier pod of the name does not hold. */
const chapter = chapterSteps.map((steps): readonly Step[] => [...['first', 'second'].map((name): Step => ({ delete: { target: `pod/${name}`, force: true } })), ...steps]);

/** A scenario of any steps; classes and claims come first more often than not. */
export const anyScenario: fc.Arbitrary<Scenario> = fc
  .tuple(fc.array(classStep, { maxLength: 2 }), fc.array(claimStep, { maxLength: 3 }), fc.array(fc.oneof({ weight: 14, arbitrary: anyStep.map((step) => [step]) }, { weight: 1, arbitrary: chapter }), { minLength: 7, maxLength: 20, size: 'max' }))
  .map(([classes, claims, steps]) => ({ id: 'any', title: 'Steps drawn at random', covers: [], namespace: 'ab-any', steps: [...classes, ...claims, ...steps.flat(), { settle: 15 }] }));

import { describe, expect, it } from 'vitest';
import { simulate } from '../../machines/index.ts';
import { startCluster } from '../../machines/run/simulate.ts';
import { applyManifest } from '../../machines/run/apply.ts';
import { manifestObjects } from '../../machines/run/manifest.ts';
import type { World } from '../../machines/kernel/world.ts';
import type { Step } from '../../machines/trace/scenario.ts';
import type { OutputRecord } from '../../machines/trace/format.ts';

/** What kubectl prints when the manifest is applied to a fresh cluster, or to `world`. */
function answer(manifest: string, world: World = startCluster()): string {
  return manifestObjects(manifest)
    .map((object) => applyManifest(world.api, object, 'default') ?? '')
    .join('');
}

const claim = (spec: string, name = 'disk'): string => `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: ${name}}, spec: ${spec}}`;
const pod = (spec: string): string => `{apiVersion: v1, kind: Pod, metadata: {name: first}, spec: ${spec}}`;
const volume = (spec: string): string => `{apiVersion: v1, kind: PersistentVolume, metadata: {name: by-hand}, spec: ${spec}}`;

const ONE_GI = 'resources: {requests: {storage: 1Gi}}';
const RWO = 'accessModes: [ReadWriteOnce]';

function refusalsOf(steps: readonly Step[]): string[] {
  const trace = simulate({ id: 'refusal', title: 'refusal', covers: [], namespace: 'ab-refusal', steps });
  return trace.records.filter((r): r is OutputRecord => r.type === 'output').map((r) => r.text);
}

describe('the API server refuses a claim', () => {
  it('without access modes and without a size, both named', () => {
    expect(answer(claim('{}'))).toBe(
      'The PersistentVolumeClaim "disk" is invalid: \n* spec.accessModes: Required value: at least 1 access mode is required\n* spec.resources[storage]: Required value\n',
    );
  });
  it('that wants ReadWriteOncePod beside another mode', () => {
    expect(answer(claim(`{accessModes: [ReadWriteOncePod, ReadWriteOnce], ${ONE_GI}}`))).toBe(
      'The PersistentVolumeClaim "disk" is invalid: spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes\n',
    );
  });
  it('with a mode that does not exist', () => {
    expect(answer(claim(`{accessModes: [ReadWriteSometimes], ${ONE_GI}}`))).toBe(
      'The PersistentVolumeClaim "disk" is invalid: spec.accessModes: Unsupported value: "ReadWriteSometimes": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"\n',
    );
  });
  it('whose size is no quantity, before anything else', () => {
    expect(answer(claim(`{${RWO}, resources: {requests: {storage: 10XB}}}`))).toBe(
      "Error from server (BadRequest): error when creating \"STDIN\": PersistentVolumeClaim in version \"v1\" cannot be handled as a PersistentVolumeClaim: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'\n",
    );
  });
  it('of no size', () => {
    expect(answer(claim(`{${RWO}, resources: {requests: {storage: 0}}}`))).toContain('spec.resources[storage]: Invalid value: "0": must be greater than zero');
  });
  it('with a name that no object may have', () => {
    expect(answer(claim(`{${RWO}, ${ONE_GI}}`, 'Disk_1'))).toContain('metadata.name: Invalid value: "Disk_1": a lowercase RFC 1123 subdomain must consist of');
  });
});

describe('the API server refuses to change a claim', () => {
  it('in its access modes, and shows the difference as Go prints it', () => {
    const world = startCluster();
    answer(claim(`{${RWO}, ${ONE_GI}, storageClassName: zonal-wait}`), world);
    expect(answer(claim(`{accessModes: [ReadWriteMany], ${ONE_GI}, storageClassName: zonal-wait}`), world)).toBe(
      [
        'The PersistentVolumeClaim "disk" is invalid: spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
        '@@ -1,6 +1,6 @@',
        ' {',
        '  "AccessModes": [',
        '-  "ReadWriteOnce"',
        '+  "ReadWriteMany"',
        '  ],',
        '  "Selector": null,',
        '  "Resources": {',
        '',
        '',
      ].join('\n'),
    );
  });

  const bound: Step[] = [{ apply: claim(`{storageClassName: hostpath-immediate, ${RWO}, ${ONE_GI}}`) }, { wait: { for: 'pvc/disk', path: 'status.phase', equals: 'Bound' } }];
  const resize = (storage: string): Step => ({ patch: { target: 'pvc/disk', merge: { spec: { resources: { requests: { storage } } } } } });

  it('when it would shrink below what it has', () => {
    expect(refusalsOf([...bound, resize('512Mi')])).toEqual(['The PersistentVolumeClaim "disk" is invalid: spec.resources.requests.storage: Forbidden: field can not be less than status.capacity\n']);
  });
  it('when its class does not allow growing', () => {
    const text = 'persistentvolumeclaims "disk" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
    expect(refusalsOf([...bound, resize('2Gi')])).toEqual([`Error from server (Forbidden): ${text}\n`]);
    const [applied] = refusalsOf([...bound, { apply: claim(`{storageClassName: hostpath-immediate, ${RWO}, resources: {requests: {storage: 2Gi}}}`) }]);
    expect(applied).toContain('Error from server (Forbidden): error when applying patch:\n{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":');
    expect(applied).toContain('"spec":{"resources":{"requests":{"storage":"2Gi"}}}}\nto:\nResource: "/v1, Resource=persistentvolumeclaims", GroupVersionKind: "/v1, Kind=PersistentVolumeClaim"\nName: "disk", Namespace: "ab-refusal"\n');
    expect(applied).toContain(`for: "STDIN": error when patching "STDIN": ${text}\n`);
  });
  it('when it is not bound and would grow: the spec of an unbound claim is fixed', () => {
    const [text] = refusalsOf([{ apply: claim(`{storageClassName: zonal-wait, ${RWO}, ${ONE_GI}}`) }, resize('2Gi')]);
    expect(text).toContain('spec: Forbidden: spec is immutable after creation except resources.requests');
    expect(text).toContain('-   "storage": "1Gi"\n+   "storage": "2Gi"\n');
  });
  it('in its volume mode, for two reasons', () => {
    const [text] = refusalsOf([...bound, { patch: { target: 'pvc/disk', merge: { spec: { volumeMode: 'Block' } } } }]);
    expect(text).toContain('* spec: Forbidden: spec is immutable');
    expect(text).toContain('* volumeMode: Invalid value: "Block": field is immutable\n');
  });
  it('that is not there', () => {
    expect(refusalsOf([resize('2Gi')])).toEqual(['Error from server (NotFound): persistentvolumeclaims "disk" not found\n']);
  });
});

describe('the API server refuses a pod', () => {
  const containers = (mounts: string): string => `containers: [{name: app, image: "busybox:1.36", ${mounts}}]`;
  const refused = (spec: string): string => answer(pod(`{${spec}}`));
  const one = 'volumes: [{name: disk, persistentVolumeClaim: {claimName: disk}}]';

  it.each([
    ['a mount of a volume that the pod does not have', `${containers('volumeMounts: [{name: data, mountPath: /data}]')}, ${one}`, 'spec.containers[0].volumeMounts[0].name: Not found: "data"'],
    ['a claim volume without a claim', `${containers('volumeMounts: []')}, volumes: [{name: disk, persistentVolumeClaim: {}}]`, 'spec.volumes[0].persistentVolumeClaim.claimName: Required value'],
    ['two volumes of one name', `${containers('volumeMounts: []')}, volumes: [{name: disk, emptyDir: {}}, {name: disk, emptyDir: {}}]`, 'spec.volumes[1].name: Duplicate value: "disk"'],
    ['two mounts at one path', `${containers('volumeMounts: [{name: disk, mountPath: /data}, {name: disk, mountPath: /data}]')}, ${one}`, 'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/data": must be unique'],
    ['a volume of two kinds', `${containers('volumeMounts: []')}, volumes: [{name: disk, emptyDir: {}, secret: {secretName: token}}]`, 'spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type'],
    ['a device that is no claim', `${containers('volumeDevices: [{name: disk, devicePath: /dev/x}]')}, volumes: [{name: disk, emptyDir: {}}]`, 'spec.containers[0].volumeDevices[0].name: Invalid value: "disk": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'],
    ['a sub path that leaves the volume', `${containers('volumeMounts: [{name: disk, mountPath: /data, subPath: ../x}]')}, ${one}`, `spec.containers[0].volumeMounts.subPath: Invalid value: "../x": must not contain '..'`],
    ['no container', '', 'spec.containers: Required value'],
    ['a container without an image', 'containers: [{name: app}]', 'spec.containers[0].image: Required value'],
  ])('with %s', (_what, spec, text) => {
    expect(refused(spec)).toBe(`The Pod "first" is invalid: ${text}\n`);
  });

  it('whose volume is both mounted and a device, once for each side', () => {
    const text = refused(`${containers('volumeMounts: [{name: disk, mountPath: /data}], volumeDevices: [{name: disk, devicePath: /dev/x}]')}, ${one}`);
    expect(text).toBe(
      'The Pod "first" is invalid: \n* spec.containers[0].volumeMounts[0].name: Invalid value: "disk": must not already exist in volumeDevices\n* spec.containers[0].volumeDevices[0].name: Invalid value: "disk": must not already exist in volumeMounts\n',
    );
  });
  it('of a priority class that does not exist', () => {
    expect(refused(`${containers('volumeMounts: []')}, priorityClassName: important`)).toBe('Error from server (Forbidden): error when creating "STDIN": pods "first" is forbidden: no PriorityClass with name important was found\n');
  });
  it('that is to get another volume', () => {
    const world = startCluster();
    answer(pod(`{${containers('volumeMounts: []')}}`), world);
    const text = answer(pod(`{${containers('volumeMounts: []')}, ${one}}`), world);
    expect(text).toContain('The Pod "first" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`');
  });
  it('that is to get another claim, with the difference of its Go structs', () => {
    const world = startCluster();
    const of = (claim: string): string => pod(`{${containers('volumeMounts: []')}, volumes: [{name: disk, persistentVolumeClaim: {claimName: ${claim}}}]}`);
    answer(of('disk'), world);
    expect(answer(of('other'), world)?.split('\n').slice(1)).toEqual([
      '@@ -12,7 +12,7 @@', '    "ISCSI": null,', '    "Glusterfs": null,', '    "PersistentVolumeClaim": {', '-    "ClaimName": "disk",', '+    "ClaimName": "other",', '     "ReadOnly": false', '    },', '    "RBD": null,', '', '',
    ]);
  });
  it('that is to get another container', () => {
    const world = startCluster();
    answer(pod(`{${containers('volumeMounts: []')}}`), world);
    expect(answer(pod('{containers: [{name: main, image: "busybox:1.36"}, {name: second, image: "busybox:1.36"}]}'), world)).toBe('The Pod "first" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers\n');
  });
});

describe('the API server refuses a volume', () => {
  const base = `capacity: {storage: 1Gi}, ${RWO}`;
  it.each([
    ['without a source', `{${base}}`, 'spec: Required value: must specify a volume type'],
    ['with two sources', `{${base}, hostPath: {path: /a}, nfs: {server: s, path: /}}`, 'spec.nfs: Forbidden: may not specify more than 1 volume type'],
    ['with a hostPath type that there is not', `{${base}, hostPath: {path: /a, type: Folder}}`, 'spec.hostPath.type: Unsupported value: "Folder": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"'],
    ['without a size', `{${RWO}, hostPath: {path: /a}}`, 'spec.capacity: Required value'],
    ['without access modes', '{capacity: {storage: 1Gi}, hostPath: {path: /a}}', 'spec.accessModes: Required value'],
    ['that is local to no node', `{${base}, local: {path: /a}}`, 'spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ['of a CSI driver without a handle', `{${base}, csi: {driver: disk.csi.after-bound.dev}}`, 'spec.csi.volumeHandle: Required value'],
  ])('%s', (_what, spec, text) => {
    expect(answer(volume(spec))).toBe(`The PersistentVolume "by-hand" is invalid: ${text}\n`);
  });
  it('that is to get another source', () => {
    const world = startCluster();
    answer(volume(`{${base}, hostPath: {path: /a}}`), world);
    const text = answer(volume(`{${base}, hostPath: {path: /b}}`), world);
    expect(text).toContain('The PersistentVolume "by-hand" is invalid: spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n@@ -2,7 +2,7 @@\n');
    expect(text).toContain('-  "Path": "/a",\n+  "Path": "/b",\n');
  });
});

describe('the API server refuses', () => {
  it('another provisioner for a class that is there', () => {
    const world = startCluster();
    const storageClass = (provisioner: string): string => `{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: ${provisioner}}`;
    answer(storageClass('a.example.com'), world);
    expect(answer(storageClass('b.example.com'), world)).toBe('The StorageClass "fast" is invalid: provisioner: Forbidden: updates to provisioner are forbidden.\n');
  });
  it('a Deployment whose selector misses its own pods', () => {
    const text = answer('{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: other}}, spec: {containers: [{name: app, image: "x:1"}]}}}}');
    expect(text).toBe('The Deployment "web" is invalid: spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`\n');
  });
  it('Recreate together with the numbers of a rolling update', () => {
    const text = answer('{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {strategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "x:1"}]}}}}');
    expect(text).toBe("The Deployment \"web\" is invalid: spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'\n");
  });
  it('a kind that it does not serve, and says which it does', () => {
    expect(answer('{apiVersion: v1, kind: Gizmo, metadata: {name: x}}')).toContain('error: resource mapping not found for name: "x" namespace: "" from "STDIN": no matches for kind "Gizmo" in version "v1"\n');
  });
  it('a ConfigMap whose value is a number', () => {
    expect(answer('{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {port: 80}}')).toContain('cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string\n');
  });
});

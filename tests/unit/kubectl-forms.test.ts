/** The forms of `kubectl get` that no recording shows: yaml, json, name, jsonpath, wide, labels, selectors, several kinds. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runKubectl, viewOfObjects } from '../../machines/kubectl/index.ts';
import { goSort } from '../../machines/kubectl/go-sort.ts';
import { yamlText } from '../../machines/kubectl/yaml-text.ts';
import type { AnyObject } from '../../machines/model/objects.ts';
import type { Trace } from '../../machines/trace/format.ts';

const trace = JSON.parse(readFileSync(new URL('../../content/traces/statefulset-templates/1.json', import.meta.url), 'utf8')) as Trace;

/** The recorded cluster with both pods of the StatefulSet running. */
function recordedView(t: number): ReturnType<typeof viewOfObjects> {
  const objects = new Map<string, AnyObject>(trace.stage.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  for (const record of trace.records) {
    if (record.type !== 'watch' || record.t > t) continue;
    const key = `${record.object.kind}/${record.object.metadata.name}`;
    if (record.verb === 'DELETED') objects.delete(key);
    else objects.set(key, record.object);
  }
  return viewOfObjects(objects.values(), { now: Date.parse(trace.recordedAt) + t * 1000, namespace: trace.scenario.namespace });
}

const view = recordedView(15.4);
const show = (command: string): string => runKubectl(command, view).text;

describe('kubectl get in its other forms', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['kubectl get pod -o name', 'pod/web-0\npod/web-1\n'],
    ['kubectl get sts,pvc -o name', 'statefulset.apps/web\npersistentvolumeclaim/data-web-0\npersistentvolumeclaim/data-web-1\n'],
    ['kubectl get pvc -o jsonpath={.items[*].metadata.name}', 'data-web-0 data-web-1'],
    ["kubectl get pod web-0 -o jsonpath='{.status.phase}'", 'Running'],
    [`kubectl get pod web-0 -o jsonpath='{.status.conditions[?(@.type=="Ready")].status}'`, 'True'],
    ["kubectl get pod -o jsonpath='{range .items[*]}{.metadata.name}{\"\\t\"}{.spec.volumes[0].persistentVolumeClaim.claimName}{\"\\n\"}{end}'", 'web-0\tdata-web-0\nweb-1\tdata-web-1\n'],
    ['kubectl get pod web-0 -o custom-columns=N:.metadata.name,M:.spec.containers[*].volumeMounts[0].mountPath,X:.spec.nothing', 'N       M       X\nweb-0   /data   <none>\n'],
    ['kubectl get pod web-0 -o custom-columns=N:.spec.containers[7].name', 'error: array index out of bounds: index 7, length 1\n'],
    ['kubectl get pod --no-headers web-1', 'web-1   1/1   Running   0     8s\n'],
    ['kubectl get pod -l app=web,app!=other --no-headers -o custom-columns=N:metadata.name', 'web-0\nweb-1\n'],
    ['kubectl get pod -l "app in (db, web)" -o name', 'pod/web-0\npod/web-1\n'],
    ['kubectl get pod -l !app', 'No resources found in ab-statefulset-templates namespace.\n'],
    ['kubectl get pod --field-selector status.phase!=Running', 'No resources found in ab-statefulset-templates namespace.\n'],
    ['kubectl get pod -L app', 'NAME    READY   STATUS    RESTARTS   AGE   APP\nweb-0   1/1     Running   0          16s   web\nweb-1   1/1     Running   0          8s    web\n'],
    ['kubectl get pod web-0 nope web-1', 'NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          16s\nweb-1   1/1     Running   0          8s\nError from server (NotFound): pods "nope" not found\n'],
    ['kubectl get pod nope --ignore-not-found', ''],
    ['kubectl get pod -n elsewhere', 'No resources found in elsewhere namespace.\n'],
    ['kubectl get pod --sort-by=.metadata.creationTimestamp -o name', 'pod/web-0\npod/web-1\n'],
    ['kubectl get statefulset', 'NAME   READY   AGE\nweb    2/2     16s\n'],
    ['kubectl get sc zonal-wait', 'NAME         PROVISIONER                RECLAIMPOLICY   VOLUMEBINDINGMODE      ALLOWVOLUMEEXPANSION   AGE\nzonal-wait   disk.csi.after-bound.dev   Delete          WaitForFirstConsumer   false                  54m\n'],
    ['kubectl get node ab-worker -o wide --no-headers', 'ab-worker   Ready   <none>   63m   v1.35.4   172.18.0.3   <none>   <unknown>   <unknown>   containerd://1.7.24\n'],
  ];
  for (const [command, text] of cases) {
    it(command, () => {
      expect(show(command)).toBe(text);
    });
  }

  it('shows the namespace with -A, for kinds that have one', () => {
    expect(show('kubectl get pod -A').split('\n')[0]).toBe('NAMESPACE                  NAME    READY   STATUS    RESTARTS   AGE');
    expect(show('kubectl get pv -A').split('\n')[0]).not.toContain('NAMESPACE');
  });

  it('shows the volume mode of claims with -o wide', () => {
    expect(show('kubectl get pvc -o wide')).toMatch(/AGE +VOLUMEMODE\ndata-web-0 .* Filesystem\n/);
  });

  it('prints events with what they are about', () => {
    const lines = show('kubectl get events --field-selector involvedObject.name=web-0,reason=Scheduled').split('\n');
    expect(lines[0]).toBe('LAST SEEN   TYPE     REASON      OBJECT      MESSAGE');
    expect(lines[1]).toMatch(/^\d+s +Normal +Scheduled +pod\/web-0 +Successfully assigned ab-statefulset-templates\/web-0 to ab-worker/);
  });

  it('prints a list as one document', () => {
    expect(show('kubectl get pod -o yaml')).toMatch(/^apiVersion: v1\nitems:\n- apiVersion: v1\n {2}kind: Pod\n[^]*\nkind: List\nmetadata:\n {2}resourceVersion: ""\n$/);
    expect(JSON.parse(show('kubectl get pod -o json'))).toMatchObject({ kind: 'List', items: [{ kind: 'Pod' }, { kind: 'Pod' }] });
  });
});

describe('yaml is written as go-yaml writes it', () => {
  /** Values and what sigs.k8s.io/yaml v1.6.0 makes of them. */
  const documents: readonly (readonly [unknown, string])[] = [
    [{"a": "yes"}, "a: \"yes\"\n"],
    [{"a": "no"}, "a: \"no\"\n"],
    [{"a": "on"}, "a: \"on\"\n"],
    [{"a": "off"}, "a: \"off\"\n"],
    [{"a": "true"}, "a: \"true\"\n"],
    [{"a": "True"}, "a: \"True\"\n"],
    [{"a": "null"}, "a: \"null\"\n"],
    [{"a": "~"}, "a: \"~\"\n"],
    [{"a": "1"}, "a: \"1\"\n"],
    [{"a": "1.0"}, "a: \"1.0\"\n"],
    [{"a": "1e3"}, "a: \"1e3\"\n"],
    [{"a": "0x1f"}, "a: \"0x1f\"\n"],
    [{"a": "010"}, "a: \"010\"\n"],
    [{"a": "2026-11-30"}, "a: \"2026-11-30\"\n"],
    [{"a": "2026-11-30T17:20:47Z"}, "a: \"2026-11-30T17:20:47Z\"\n"],
    [{"a": ""}, "a: \"\"\n"],
    [{"a": "a: b"}, "a: 'a: b'\n"],
    [{"a": "a #b"}, "a: 'a #b'\n"],
    [{"a": "#x"}, "a: '#x'\n"],
    [{"a": "- x"}, "a: '- x'\n"],
    [{"a": "-"}, "a: '-'\n"],
    [{"a": "? a"}, "a: '? a'\n"],
    [{"a": "*a"}, "a: '*a'\n"],
    [{"a": "&a"}, "a: '&a'\n"],
    [{"a": "!a"}, "a: '!a'\n"],
    [{"a": "|"}, "a: '|'\n"],
    [{"a": "> x"}, "a: '> x'\n"],
    [{"a": "%x"}, "a: '%x'\n"],
    [{"a": "@x"}, "a: '@x'\n"],
    [{"a": "`x"}, "a: '`x'\n"],
    [{"a": "'q'"}, "a: '''q'''\n"],
    [{"a": "\"q\""}, "a: '\"q\"'\n"],
    [{"a": "a\nb"}, "a: |-\n  a\n  b\n"],
    [{"a": "a\n"}, "a: |\n  a\n"],
    [{"a": "\n"}, "a: |2+\n\n"],
    [{"a": "a\n\n"}, "a: |+\n  a\n\n"],
    [{"a": "  lead"}, "a: '  lead'\n"],
    [{"a": "trail "}, "a: 'trail '\n"],
    [{"a": "tab\tx"}, "a: \"tab\\tx\"\n"],
    [{"a": "x:"}, "a: 'x:'\n"],
    [{"a": "x: "}, "a: 'x: '\n"],
    [{"a": "{a}"}, "a: '{a}'\n"],
    [{"a": "[a]"}, "a: '[a]'\n"],
    [{"a": "a,b"}, "a: a,b\n"],
    [{"a": "http://x"}, "a: http://x\n"],
    [{"a": "12:30"}, "a: \"12:30\"\n"],
    [{"a": "1:2:3"}, "a: \"1:2:3\"\n"],
    [{"a": "\u00e9\u4e2d\u6587"}, "a: \u00e9\u4e2d\u6587\n"],
    [{"a": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, "a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"],
    [{"a": "word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word "}, "a: 'word word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word '\n"],
    [{"a": "\u0007bell"}, "a: \"\\abell\"\n"],
    [{"a": "="}, "a: =\n"],
    [{"a": "<<"}, "a: <<\n"],
    [{"a": "y"}, "a: \"y\"\n"],
    [{"a": "N"}, "a: \"N\"\n"],
    [{"a": ".5"}, "a: \".5\"\n"],
    [{"a": "+1"}, "a: \"+1\"\n"],
    [{"a": "0o7"}, "a: \"0o7\"\n"],
    [{"a": "1_000"}, "a: \"1_000\"\n"],
    [{"a": "inf"}, "a: inf\n"],
    [{"a": ".inf"}, "a: \".inf\"\n"],
    [{"a": ".nan"}, "a: \".nan\"\n"],
    [{"a": "NaN"}, "a: NaN\n"],
    [{"a": "a\\b"}, "a: a\\b\n"],
    [{"a": "line1\n  line2\n"}, "a: |\n  line1\n    line2\n"],
    [{"a": "x\n y\n z"}, "a: |-\n  x\n   y\n   z\n"],
    [{"list": [], "map": {}, "n": null, "b": true, "i": 5, "f": 1.5, "big": 12345678901234, "nested": [{"a": [1, 2]}, [], {}, "x"], "m": {"k": {"z": [{"q": 1, "r": "s"}]}}}, "b: true\nbig: 12345678901234\nf: 1.5\ni: 5\nlist: []\nm:\n  k:\n    z:\n    - q: 1\n      r: s\nmap: {}\n\"n\": null\nnested:\n- a:\n  - 1\n  - 2\n- []\n- {}\n- x\n"],
    [{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"annotations": {}, "creationTimestamp": "2026-11-30T16:40:48Z", "name": "hostpath-immediate", "resourceVersion": "1655", "uid": "047e3594-0e2e-4349-ab54-762b3060310d"}, "provisioner": "hostpath.csi.k8s.io", "reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"}, "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  annotations: {}\n  creationTimestamp: \"2026-11-30T16:40:48Z\"\n  name: hostpath-immediate\n  resourceVersion: \"1655\"\n  uid: 047e3594-0e2e-4349-ab54-762b3060310d\nprovisioner: hostpath.csi.k8s.io\nreclaimPolicy: Delete\nvolumeBindingMode: Immediate\n"],
    [{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"annotations": {}, "creationTimestamp": "2026-11-30T16:40:48Z", "name": "hostpath-wait", "resourceVersion": "1659", "uid": "d7574c76-a8d5-4122-a7c2-8d43a301a970"}, "provisioner": "hostpath.csi.k8s.io", "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer"}, "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  annotations: {}\n  creationTimestamp: \"2026-11-30T16:40:48Z\"\n  name: hostpath-wait\n  resourceVersion: \"1659\"\n  uid: d7574c76-a8d5-4122-a7c2-8d43a301a970\nprovisioner: hostpath.csi.k8s.io\nreclaimPolicy: Delete\nvolumeBindingMode: WaitForFirstConsumer\n"],
    [{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"annotations": {"storageclass.kubernetes.io/is-default-class": "true"}, "creationTimestamp": "2026-11-30T16:31:10Z", "name": "standard", "resourceVersion": "332", "uid": "d0eab473-2c9e-441f-956e-fc5b81dcec05"}, "provisioner": "rancher.io/local-path", "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer"}, "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  annotations:\n    storageclass.kubernetes.io/is-default-class: \"true\"\n  creationTimestamp: \"2026-11-30T16:31:10Z\"\n  name: standard\n  resourceVersion: \"332\"\n  uid: d0eab473-2c9e-441f-956e-fc5b81dcec05\nprovisioner: rancher.io/local-path\nreclaimPolicy: Delete\nvolumeBindingMode: WaitForFirstConsumer\n"],
    [{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"annotations": {}, "creationTimestamp": "2026-11-30T16:40:49Z", "name": "zonal-immediate", "resourceVersion": "1663", "uid": "bb6e003d-358b-4600-84be-af3cdb388329"}, "provisioner": "disk.csi.after-bound.dev", "reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"}, "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  annotations: {}\n  creationTimestamp: \"2026-11-30T16:40:49Z\"\n  name: zonal-immediate\n  resourceVersion: \"1663\"\n  uid: bb6e003d-358b-4600-84be-af3cdb388329\nprovisioner: disk.csi.after-bound.dev\nreclaimPolicy: Delete\nvolumeBindingMode: Immediate\n"],
    [{"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"annotations": {}, "creationTimestamp": "2026-11-30T16:40:49Z", "name": "zonal-wait", "resourceVersion": "1664", "uid": "427bf84e-8d47-47f9-a416-1544f3348585"}, "provisioner": "disk.csi.after-bound.dev", "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer"}, "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  annotations: {}\n  creationTimestamp: \"2026-11-30T16:40:49Z\"\n  name: zonal-wait\n  resourceVersion: \"1664\"\n  uid: 427bf84e-8d47-47f9-a416-1544f3348585\nprovisioner: disk.csi.after-bound.dev\nreclaimPolicy: Delete\nvolumeBindingMode: WaitForFirstConsumer\n"],
    [{"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"annotations": {}, "creationTimestamp": "2026-11-30T16:40:47Z", "name": "disk.csi.after-bound.dev", "resourceVersion": "1611", "uid": "69dd1dc0-f415-4853-8997-a4cbc5e9f4d0"}, "spec": {"attachRequired": true, "fsGroupPolicy": "File", "podInfoOnMount": false, "requiresRepublish": false, "seLinuxMount": false, "storageCapacity": false, "volumeLifecycleModes": ["Persistent"]}}, "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata:\n  annotations: {}\n  creationTimestamp: \"2026-11-30T16:40:47Z\"\n  name: disk.csi.after-bound.dev\n  resourceVersion: \"1611\"\n  uid: 69dd1dc0-f415-4853-8997-a4cbc5e9f4d0\nspec:\n  attachRequired: true\n  fsGroupPolicy: File\n  podInfoOnMount: false\n  requiresRepublish: false\n  seLinuxMount: false\n  storageCapacity: false\n  volumeLifecycleModes:\n  - Persistent\n"],
    [{"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"annotations": {}, "creationTimestamp": "2026-11-30T16:40:48Z", "name": "hostpath.csi.k8s.io", "resourceVersion": "1647", "uid": "f1af8963-1c1c-4dcf-804a-17ca4d71d773"}, "spec": {"attachRequired": true, "fsGroupPolicy": "File", "podInfoOnMount": true, "requiresRepublish": false, "seLinuxMount": false, "storageCapacity": false, "volumeLifecycleModes": ["Persistent", "Ephemeral"]}}, "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata:\n  annotations: {}\n  creationTimestamp: \"2026-11-30T16:40:48Z\"\n  name: hostpath.csi.k8s.io\n  resourceVersion: \"1647\"\n  uid: f1af8963-1c1c-4dcf-804a-17ca4d71d773\nspec:\n  attachRequired: true\n  fsGroupPolicy: File\n  podInfoOnMount: true\n  requiresRepublish: false\n  seLinuxMount: false\n  storageCapacity: false\n  volumeLifecycleModes:\n  - Persistent\n  - Ephemeral\n"],
    [{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"annotations": {}, "creationTimestamp": "2026-11-30T17:20:23Z", "finalizers": ["kubernetes.io/pvc-protection"], "name": "disk", "namespace": "ab-immediate-happy", "resourceVersion": "9295", "uid": "b44dd6ca-a6e4-4ea1-a394-94f4468cb9a5"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "64Mi"}}, "storageClassName": "hostpath-immediate", "volumeMode": "Filesystem"}, "status": {"phase": "Pending"}}, "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  annotations: {}\n  creationTimestamp: \"2026-11-30T17:20:23Z\"\n  finalizers:\n  - kubernetes.io/pvc-protection\n  name: disk\n  namespace: ab-immediate-happy\n  resourceVersion: \"9295\"\n  uid: b44dd6ca-a6e4-4ea1-a394-94f4468cb9a5\nspec:\n  accessModes:\n  - ReadWriteOnce\n  resources:\n    requests:\n      storage: 64Mi\n  storageClassName: hostpath-immediate\n  volumeMode: Filesystem\nstatus:\n  phase: Pending\n"],
  ];
  for (const [value, text] of documents) {
    it(JSON.stringify(value), () => {
      expect(yamlText(value)).toBe(text);
    });
  }
});

describe('equal elements end where Go\'s sort leaves them', () => {
  /** Keys, and the places they came from after Go 1.26's sort.Sort. */
  const sorts: readonly (readonly [readonly number[], readonly number[]])[] = [
    [[9, 29, 11, 32, 37, 10, 4, 15, 1, 3, 6, 15, 20, 36, 2, 5, 22, 37, 6, 7, 14, 26, 20, 21, 26, 25, 27, 36, 34, 37, 3, 37, 5], [8, 14, 30, 9, 6, 32, 15, 18, 10, 19, 0, 5, 2, 20, 7, 11, 12, 22, 23, 16, 25, 21, 24, 26, 1, 3, 28, 13, 27, 4, 29, 31, 17]],
    [[8, 0, 0, 1, 1, 2, 2, 4, 3, 3, 4, 4, 5, 5, 8, 6, 6, 7, 7, 8], [1, 2, 3, 4, 5, 6, 8, 9, 10, 7, 11, 12, 13, 15, 16, 17, 18, 0, 14, 19]],
    [[13, 0, 17, 16, 21, 20, 28, 15, 11, 8, 8, 22, 5, 25, 11, 28, 6, 7, 24, 19, 3, 11, 21, 10, 2, 14, 24, 18, 3, 25, 28, 20, 10], [1, 24, 28, 20, 12, 16, 17, 9, 10, 23, 32, 21, 8, 14, 0, 25, 7, 3, 2, 27, 19, 5, 31, 22, 4, 11, 18, 26, 13, 29, 15, 6, 30]],
    [[4, 0, 9, 7, 24, 19, 20, 33, 5, 32, 6, 35, 20, 7, 33, 7], [1, 0, 8, 10, 3, 15, 13, 2, 5, 12, 6, 4, 9, 7, 14, 11]],
    [[19, 9, 15, 0, 16, 20, 12, 9, 8, 12, 19, 15, 1, 0, 17, 18, 14, 19, 20, 1], [13, 3, 12, 19, 8, 7, 1, 6, 9, 16, 11, 2, 4, 14, 15, 10, 0, 17, 18, 5]],
    [[14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    [[0, 1, 3, 5, 7, 9, 11, 14, 15, 17, 19, 21, 23], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    [[28, 14, 20, 17, 16, 4, 22, 31, 5, 36, 25, 30, 6, 6, 10, 32, 39, 36], [5, 8, 12, 13, 14, 1, 4, 3, 2, 6, 10, 0, 11, 7, 15, 9, 17, 16]],
    [[2, 3, 13, 13, 12, 0, 22, 4, 9, 18, 24, 25, 1, 9, 6, 3, 0, 4, 16, 23, 12, 21], [5, 16, 12, 0, 15, 1, 17, 7, 14, 13, 8, 4, 20, 3, 2, 18, 9, 21, 6, 19, 10, 11]],
    [[3, 7, 9, 7, 9, 16, 5, 17, 0, 10, 13, 8, 6], [8, 0, 6, 12, 3, 1, 11, 4, 2, 9, 10, 5, 7]],
    [[3, 0, 0, 6, 7, 8, 7, 3, 5, 9, 8, 7, 8, 4, 8], [1, 2, 7, 0, 13, 8, 3, 6, 11, 4, 5, 10, 12, 14, 9]],
    [[16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
  ];
  for (const [keys, places] of sorts) {
    it(`${keys.length} keys`, () => {
      const items = keys.map((key, place) => ({ key, place }));
      expect(goSort(items, (left, right) => left.key < right.key).map((item) => item.place)).toEqual(places);
    });
  }
});

/** A manifest or a patch whose values have the wrong type: the API server's decoder refuses it in its own words. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../machines/index.ts';
import type { Json } from '../../machines/model/objects.ts';
import type { Step } from '../../machines/trace/scenario.ts';
import type { OutputRecord, Trace } from '../../machines/trace/format.ts';

function run(...steps: Step[]): Trace {
  return simulate({ id: 'decode', title: 'decode', covers: [], namespace: 'ab-decode', steps });
}
const outputs = (trace: Trace): string[] => trace.records.filter((r): r is OutputRecord => r.type === 'output').map((r) => r.text);
const answer = (manifest: object): string => outputs(run({ apply: JSON.stringify(manifest) })).join('');

const pod = (spec: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'first' }, spec });
const container = { name: 'app', image: 'busybox:1.36' };
const claim = (spec: object): object => ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'disk' }, spec });
const head = (kind: string, version = 'v1'): string => `Error from server (BadRequest): error when creating "STDIN": ${kind} in version "${version}" cannot be handled as a ${kind}: `;

describe('a manifest with a value of the wrong type is refused', () => {
  it.each<[string, object, string]>([
    ['text for a list', pod({ containers: 'app' }), `${head('Pod')}json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container\n`],
    ['text in a list of containers', pod({ containers: ['app'] }), `${head('Pod')}json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container\n`],
    ['a number for text', pod({ containers: [{ ...container, image: 5 }] }), `${head('Pod')}json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string\n`],
    ['a number for a path', pod({ containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: 5 }] }] }), `${head('Pod')}json: cannot unmarshal number into Go struct field VolumeMount.spec.containers.volumeMounts.mountPath of type string\n`],
    ['text for a truth value', pod({ containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: 'yes' }] }] }), 'json: cannot unmarshal string into Go struct field VolumeMount.spec.containers.volumeMounts.readOnly of type bool\n'],
    ['text for a number', pod({ terminationGracePeriodSeconds: 'x', containers: [container] }), 'json: cannot unmarshal string into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64\n'],
    ['a fraction for a whole number', pod({ terminationGracePeriodSeconds: 1.5, containers: [container] }), 'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64\n'],
    ['a number that does not fit', pod({ priority: 2 ** 31, containers: [container] }), 'json: cannot unmarshal number 2147483648 into Go struct field PodSpec.spec.priority of type int32\n'],
    ['a list for an object', pod({ containers: [container], nodeSelector: ['a'] }), 'json: cannot unmarshal array into Go struct field PodSpec.spec.nodeSelector of type map[string]string\n'],
    ['a truth value in a map of text', pod({ containers: [container], nodeSelector: { ssd: true } }), 'json: cannot unmarshal bool into Go struct field PodSpec.spec.nodeSelector of type string\n'],
    ['a number for an access mode', claim({ accessModes: [5] }), `${head('PersistentVolumeClaim')}json: cannot unmarshal number into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type v1.PersistentVolumeAccessMode\n`],
    ['a list for a quantity', claim({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: [1] } } }), "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'\n"],
    ['a truth value for the most surplus pods', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { strategy: { rollingUpdate: { maxSurge: true } } } }, `${head('Deployment')}json: cannot unmarshal bool into Go value of type int32\n`],
    ['a number for a parameter of a class', { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: 'x', parameters: { replicas: 3 } }, 'json: cannot unmarshal number into Go struct field StorageClass.parameters of type string\n'],
  ])('%s', (_what, manifest, text) => {
    expect(answer(manifest)).toContain(text);
  });

  it('by kubectl itself where it stands in the metadata', () => {
    expect(answer({ ...pod({ containers: [container] }), metadata: { name: 'first', labels: { tier: 1 } } })).toBe('error: unable to decode "STDIN": json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string\n');
  });
  it('when it is applied over an object that is there, which stays as it is', () => {
    const trace = run({ apply: JSON.stringify(claim({ storageClassName: 'zonal-wait', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } })) }, { apply: JSON.stringify(claim({ accessModes: 'ReadWriteOnce' })) });
    expect(outputs(trace).join('')).toMatch(/^Error from server \(BadRequest\): error when applying patch:\n[^]*json: cannot unmarshal string into Go struct field PersistentVolumeClaimSpec\.spec\.accessModes of type \[\]v1\.PersistentVolumeAccessMode\n$/);
    expect(trace.records.filter((r) => r.type === 'watch' && r.object.kind === 'PersistentVolumeClaim')).toHaveLength(1);
  });
});

describe('null in a manifest is what Go makes of it', () => {
  it('a field that is not there', () => {
    expect(answer(pod({ containers: [{ ...container, command: null }], volumes: null, nodeSelector: null }))).toBe('');
  });
  it('an empty element, which the validation refuses where it must say something', () => {
    expect(answer(pod({ containers: [null] }))).toBe('The Pod "first" is invalid: \n* spec.containers[0].name: Required value\n* spec.containers[0].image: Required value\n');
  });
  it('an empty text in a list of words', () => {
    const trace = run({ apply: JSON.stringify(pod({ containers: [{ ...container, command: ['echo', null] }], restartPolicy: 'Never' })) }, { wait: { for: 'pod/first', path: 'status.phase', equals: 'Succeeded', timeout: 30 } });
    expect(trace.failed).toBeNull();
  });
});

describe('what kubectl and the API server refuse before they look closer', () => {
  it.each<[string, object, string]>([
    ['an empty name', { ...claim({}), metadata: { name: '' } }, 'error: error when retrieving current configuration of: resource name may not be empty\n'],
    ['another namespace than the one asked for', { ...claim({}), metadata: { name: 'disk', namespace: 'other' } }, 'error: the namespace from the provided object "other" does not match the namespace "ab-decode". You must pass \'--namespace=other\' to perform this operation.\n'],
    ['a kind that only JavaScript knows', { apiVersion: 'v1', kind: 'constructor', metadata: { name: 'x' } }, 'no matches for kind "constructor" in version "v1"'],
    ['a kind that the cluster makes itself', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'x' } }, 'error: Node/x: objects of this kind are made by the cluster itself; making one by hand is not modelled by this simulation\n'],
    ['an attachment of nothing', { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'x' } }, '* spec.attacher: Required value\n'],
    ['topologies without values', { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'x' }, provisioner: 'p', allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone' }] }] }, 'The StorageClass "x" is invalid: allowedTopologies[0].matchLabelExpressions[0].values: Required value\n'],
  ])('%s', (_what, manifest, text) => {
    expect(answer(manifest)).toContain(text);
  });
});

describe('a merge patch', () => {
  const bound: Step[] = [
    { apply: JSON.stringify(claim({ storageClassName: 'zonal-immediate', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } })) },
    { wait: { for: 'pvc/disk', path: 'status.phase', equals: 'Bound', timeout: 30 } },
  ];
  const patched = (target: string, merge: Json): Trace => run(...bound, { patch: { target, merge } });
  const writesAfterPatch = (trace: Trace): number => trace.records.filter((r, i) => r.type === 'watch' && i > trace.records.findIndex((s) => s.type === 'step' && s.step === 2)).length;

  it.each<[string, string, Json, string]>([
    ['a value of the wrong type', 'pvc/disk', { spec: { accessModes: 5 } }, 'The request is invalid: patch: Invalid value: "{\\"spec\\":{\\"accessModes\\":5}}": json: cannot unmarshal number into Go struct field PersistentVolumeClaimSpec.spec.accessModes of type []v1.PersistentVolumeAccessMode\n'],
    ['another name', 'pvc/disk', { metadata: { name: 'other' } }, 'Error from server (BadRequest): the name of the object (other) does not match the name on the URL (disk)\n'],
    ['another namespace', 'pvc/disk', { metadata: { namespace: 'other' } }, 'Error from server (BadRequest): the namespace of the object (other) does not match the namespace on the request (ab-decode)\n'],
    ['another uid', 'pvc/disk', { metadata: { uid: 'mine' } }, 'is invalid: metadata.uid: Invalid value: "mine": field is immutable\n'],
    ['another kind', 'pvc/disk', { kind: 'Pod' }, 'Error from server (BadRequest): the API version and kind in the data (v1, Pod) do not match the expected ones (v1, PersistentVolumeClaim)\n'],
    ['an old version', 'pvc/disk', { metadata: { resourceVersion: '1' } }, 'Error from server (Conflict): Operation cannot be fulfilled on persistentvolumeclaims "disk": the object has been modified; please apply your changes to the latest version and try again\n'],
    ['no spec at all', 'pv-of/disk', { spec: null }, '* spec.accessModes: Required value\n'],
  ])('with %s is refused', (_what, target, merge, text) => {
    const trace = patched(target, merge);
    expect(outputs(trace).join('')).toContain(text);
    expect(writesAfterPatch(trace)).toBe(0);
  });

  it.each<[string, Json]>([
    ['pvc/disk', { status: { phase: 'Lost' } }],
    ['pvc/disk', { status: null }],
    ['pv-of/disk', { status: { phase: 'Released' } }],
    ['node/ab-worker', { status: { conditions: 5 } }],
  ])('of the status of %s changes nothing: it is written through its subresource only', (target, merge) => {
    const trace = patched(target, merge);
    expect({ outputs: outputs(trace), writes: writesAfterPatch(trace) }).toEqual({ outputs: [], writes: 0 });
  });

  it('brings no finalizer to an object that is going', () => {
    const trace = run(...bound, { patch: { target: 'pvc/disk', merge: { metadata: { finalizers: ['example.com/keep'] } } } }, { delete: { target: 'pvc/disk', wait: false } }, { patch: { target: 'pvc/disk', merge: { metadata: { finalizers: ['example.com/keep', 'example.com/more'] } } } });
    expect(outputs(trace)).toEqual(['The PersistentVolumeClaim "disk" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}\n']);
  });
});

describe('a manifest with a field that its kind does not have is refused', () => {
  const volume = { name: 'v', persistentVolumeClaim: { claimName: 'disk' } };
  it.each<[string, object, string]>([
    ['in a claim', claim({ accessModes: ['ReadWriteOnce'], storageClass: 'fast', resources: { requests: { storage: '1Gi' } } }), `${head('PersistentVolumeClaim')}strict decoding error: unknown field "spec.storageClass"\n`],
    ['in a list, and another before it', pod({ containers: [{ ...container, volumeMounts: [{ name: 'v', path: '/v' }] }], nodeselector: {}, volumes: [volume] }), `${head('Pod')}strict decoding error: unknown field "spec.containers[0].volumeMounts[0].path", unknown field "spec.nodeselector"\n`],
    ['in a class, which has no spec', { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: 'x', spec: {} }, `${head('StorageClass')}strict decoding error: unknown field "spec"\n`],
  ])('%s', (_what, manifest, text) => {
    expect(answer(manifest)).toBe(text);
  });

  it('but not for one that no rule reads', () => {
    expect(answer(pod({ containers: [{ ...container, readinessProbe: { httpGet: { port: 80 } } }], hostNetwork: true }))).toBe('');
  });

  it('with the patch, when the object is there already', () => {
    const good = claim({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }) as { spec: object };
    const texts = outputs(run({ apply: JSON.stringify(good) }, { apply: JSON.stringify({ ...good, spec: { ...good.spec, size: 1 } }) }));
    expect(texts[0]).toMatch(/^The request is invalid: patch: Invalid value: "map\[metadata:map\[annotations:map\[kubectl.kubernetes.io\/last-applied-configuration:.*\] spec:map\[size:1\]\]": strict decoding error: unknown field "spec.size"\n$/);
  });
});

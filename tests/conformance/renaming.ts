/**
 * Gives every object, namespace, class, node and zone of a scenario and its stage another name. Two renamings of one
 * scenario differ in nothing but the letters of their names, so their runs must not either.
 */
import { stringify } from 'yaml';
import { manifestObjects } from '../../machines/run/manifest.ts';
import type { Choices } from '../../machines/index.ts';
import type { AnyObject, Json } from '../../machines/model/objects.ts';
import type { Scenario, Step } from '../../machines/trace/scenario.ts';

export interface Renamed {
  readonly scenario: Scenario;
  readonly stage: readonly AnyObject[];
  readonly choices: Choices;
}

const HOSTNAME = 'kubernetes.io/hostname';
const CLUSTER_PREFIX = 'ab-';
/** Labels and topology keys whose values are zones or node names. */
const isZoneKey = (key: string): boolean => key.endsWith('/zone');
const isNodeKey = (key: string): boolean => key === HOSTNAME || key.endsWith('/node');

/** One renaming. `letter` stands in every new name; `shift` moves each node's and zone's new number on by that many. */
export class Renaming {
  private readonly names = new Map<string, string>();
  private readonly nodes = new Map<string, string>();
  private readonly zones = new Map<string, string>();

  constructor(scenario: Scenario, stage: readonly AnyObject[], letter: string, shift: number) {
    const of = (kind: string): string[] => stage.filter((object) => object.kind === kind).map((object) => object.metadata.name);
    const nodes = of('Node');
    const zones = [...new Set(stage.flatMap((object) => Object.entries(object.metadata.labels ?? {}).filter(([key]) => isZoneKey(key)).map(([, zone]) => zone)))];
    // New names stand in the order of the old ones: what is sorted by name stays sorted alike.
    const names = [...new Set([...of('StorageClass'), ...namesIn(scenario)])].toSorted();
    for (const [i, name] of names.entries()) this.names.set(name, token('q', letter, i));
    for (const [i, node] of nodes.entries()) this.nodes.set(node, token('n', letter, (i + shift) % nodes.length));
    for (const [i, zone] of zones.entries()) this.zones.set(zone, token('z', letter, (i + shift) % zones.length));
  }

  apply(scenario: Scenario, stage: readonly AnyObject[], choices: Choices): Renamed {
    return {
      scenario: { ...scenario, namespace: this.name(scenario.namespace), steps: scenario.steps.map((step) => this.step(step)) },
      stage: stage.map((object) => this.stageObject(object)),
      choices: {
        nodeOfPod: Object.fromEntries(Object.entries(choices.nodeOfPod).map(([pod, node]) => [this.path(pod), this.node(node)])),
        zoneOfVolume: Object.fromEntries(Object.entries(choices.zoneOfVolume).map(([claim, zone]) => [this.path(claim), this.zones.get(zone) ?? zone])),
      },
    };
  }

  private name(name: string): string {
    return this.names.get(name) ?? name;
  }
  private node(name: string): string {
    return this.nodes.get(name) ?? this.nodes.get(`${CLUSTER_PREFIX}${name}`) ?? name;
  }
  /** `namespace/pod`, `kind/name`: each part that is a name; a part that hangs a number or a claim template on a name too. */
  private path(path: string): string {
    return path.split('/').map((part) => this.compound(part)).join('/');
  }
  /** `web-0`, `data-web-0`, `scratch-disk`: names that controllers make of names. */
  private compound(part: string): string {
    if (this.names.has(part)) return this.name(part);
    const ordinal = /^(?:(.+)-)?([^-]+)-(\d+)$/.exec(part);
    if (ordinal && this.names.has(ordinal[2] ?? '')) return `${ordinal[1] === undefined ? '' : `${ordinal[1]}-`}${this.name(ordinal[2] ?? '')}-${ordinal[3] ?? ''}`;
    const [first = '', ...rest] = part.split('-');
    return rest.length > 0 && this.names.has(first) ? [this.name(first), ...rest].join('-') : part;
  }

  private step(step: Step): Step {
    if ('apply' in step) return { apply: manifestObjects(step.apply.replace(/\$(PV|VA)_OF_([\w-]+)/g, (_whole, what: string, claim: string) => `$${what}_OF_${this.name(claim)}`)).map((object) => stringify(this.object(object))).join('---\n') };
    if ('delete' in step) return { delete: { ...step.delete, target: this.target(step.delete.target) } };
    if ('patch' in step) return { patch: { target: this.target(step.patch.target), merge: this.value(step.patch.merge, []) as Json } };
    if ('wait' in step) {
      const { for: subject, on, gone, ...rest } = step.wait;
      return { wait: { ...rest, ...(subject === undefined ? {} : { for: this.target(subject) }), ...(on === undefined ? {} : { on: this.target(on) }), ...(gone === undefined ? {} : { gone: this.target(gone) }) } };
    }
    if ('run' in step) return { run: this.command(step.run) };
    if ('exec' in step) return { exec: { ...step.exec, pod: this.compound(step.exec.pod) } };
    if ('node' in step) return { node: { ...step.node, name: this.node(step.node.name) } };
    return step;
  }

  private target(target: string): string {
    const [kind = '', name = ''] = target.split('/');
    return `${kind}/${kind === 'node' ? this.node(name) : this.compound(name)}`;
  }

  /** Names in a kubectl command, up to `--`, behind which the container's own command stands. */
  private command(command: string): string {
    const words = command.split(' ');
    const end = words.indexOf('--');
    return words.map((word, i) => (i < 2 || word.startsWith('-') || (end !== -1 && i > end) ? word : word.split('/').map((part) => this.compound(part)).join('/'))).join(' ');
  }

  private stageObject(object: AnyObject): AnyObject {
    const renamed = this.object(object);
    return object.kind === 'Node' || object.kind === 'CSINode' ? JSON.parse(JSON.stringify(renamed), (_key, value: unknown) => (typeof value === 'string' ? this.node(value) : value)) as AnyObject : renamed;
  }

  private object(object: AnyObject): AnyObject {
    return this.value(object, []) as AnyObject;
  }

  private value(value: unknown, path: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(item, path));
    if (value !== null && typeof value === 'object') return this.fields(value as Record<string, unknown>, path);
    return typeof value === 'string' ? this.text(value, path) : value;
  }

  private fields(fields: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
    const key = fields['key'];
    const renameValues = typeof key === 'string' && (isZoneKey(key) || isNodeKey(key)) && Array.isArray(fields['values']);
    return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, renameValues && name === 'values' ? (inner as string[]).map((v) => this.zones.get(v) ?? this.node(v)) : this.value(inner, [...path, name])]));
  }

  private text(text: string, path: readonly string[]): string {
    const field = path.at(-1) ?? '';
    const owner = path.at(-2) ?? '';
    if (isZoneKey(field)) return this.zones.get(text) ?? text;
    if (isNodeKey(field) || field === 'nodeName') return this.node(text);
    if (['claimName', 'secretName', 'storageClassName', 'serviceName', 'volumeName'].includes(field)) return this.compound(text);
    if (field === 'name' && ['metadata', 'configMap', 'claimRef'].includes(owner) && !path.includes('volumeClaimTemplates')) return this.compound(text);
    return field === 'namespace' ? this.name(text) : text;
  }
}

function token(first: string, letter: string, i: number): string {
  return `${first}${letter}${String(i).padStart(2, '0')}w`;
}

/** Names of objects that the scenario makes or names, and its namespace. */
function namesIn(scenario: Scenario): string[] {
  const made = scenario.steps.flatMap((step) => ('apply' in step ? manifestObjects(step.apply.replace(/\$(PV|VA)_OF_[\w-]+/g, 'placeholder')) : []));
  const inside = made.flatMap((object) => [...JSON.stringify(object).matchAll(/"(?:claimName|secretName|storageClassName)":"([^"]+)"/g)].map((match) => match[1] ?? ''));
  const settings = made.flatMap((object) => [...JSON.stringify(object).matchAll(/"configMap":\{[^}]*"name":"([^"]+)"/g)].map((match) => match[1] ?? ''));
  return [scenario.namespace, ...made.map((object) => object.metadata.name), ...inside, ...settings];
}

/** The hash of a pod template, which holds names: as a label and in what is named after it. */
const TEMPLATE_HASH = /(?<=pod-template-hash(?:":"|=))\w+|(?<=q\(\d\d\)-)[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g;

/** A trace as text with the names of one renaming written as those of the other; what hangs on names by a hash is numbered. */
export function comparable(records: unknown, letter: string, shift: number, nodes: number, zones: number): string[] {
  const hashes = new Map<string, string>();
  const numbered = (kind: string) => (hash: string): string => {
    const known = hashes.get(hash) ?? `${kind}-${hashes.size}`;
    hashes.set(hash, known);
    return known;
  };
  const original = (first: string, count: number) => (_whole: string, digits: string): string => `${first}(${(Number(digits) - shift + count) % count})`;
  const back = (text: string): string =>
    text
      .replaceAll(new RegExp(`q${letter}(\\d\\d)w`, 'g'), 'q($1)')
      .replaceAll(new RegExp(`n${letter}(\\d\\d)w`, 'g'), original('n', nodes))
      .replaceAll(new RegExp(`z${letter}(\\d\\d)w`, 'g'), original('z', zones));
  return (records as readonly Record<string, unknown>[]).map((record) => {
    return back(JSON.stringify(withoutOrderOfNames(record, back)))
      .replaceAll(/csi-[0-9a-f]{64}/g, numbered('attachment'))
      .replaceAll(TEMPLATE_HASH, numbered('template'));
  });
}

/** What is sorted by name: the lines that kubectl prints, and the zones in a CreateVolume request (external-provisioner sorts them). */
function withoutOrderOfNames(value: unknown, back: (text: string) => string, field = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutOrderOfNames(item, back));
    return field === 'requisite' || field === 'preferred' ? items.map((item) => back(JSON.stringify(item))).toSorted() : items;
  }
  if (typeof value === 'string') return field === 'text' ? value.split('\n').map((line) => back(line).replaceAll(/\s+/g, ' ').replaceAll(TEMPLATE_HASH, 'template')).toSorted() : value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutOrderOfNames(inner, back, key)]));
}

/** From a manifest or a merged patch to the object that the admission chain sees: decoded, and without what Go would leave out. */
import type { AnyObject, Kind } from '../model/objects.ts';
import { decode } from './decode.ts';
import { wireForm } from './wire-form.ts';

/** Structs (and, with `[]`, lists that rules read without asking) that an object has even where its manifest leaves them out. */
const ALWAYS_THERE: { readonly [K in Kind]?: string } = {
  PersistentVolumeClaim: 'spec',
  PersistentVolume: 'spec',
  VolumeAttachment: 'spec.source',
  CSIDriver: 'spec',
  CSINode: 'spec',
  Node: 'spec',
  Pod: 'spec.containers[]',
  Deployment: 'spec.template.spec.containers[]',
  ReplicaSet: 'spec.template.spec.containers[]',
  StatefulSet: 'spec.template.spec.containers[]',
  PodDisruptionBudget: 'spec',
};

/** Throws DecodeError where a value has the wrong type. */
export function wireIn<T extends AnyObject>(object: T): T {
  const form = wireForm(decode(object.kind, object));
  const path = ALWAYS_THERE[object.kind];
  return path === undefined ? form : (withPath(form, path.split('.')) as T);
}

function withPath(value: unknown, [step = '', ...rest]: readonly string[]): unknown {
  const key = step.replace('[]', '');
  const given = (value as Readonly<Record<string, unknown>>)[key];
  const inner = given ?? (step === key ? {} : []);
  const whole = rest.length === 0 ? inner : withPath(inner, rest);
  return whole === given ? value : { ...(value as object), [key]: whole };
}

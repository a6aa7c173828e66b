/** `kubectl describe`. Source: k8s.io/kubectl/pkg/cmd/describe and pkg/describe, v0.35. */
import type { AnyObject } from '../model/objects.ts';
import type { DescribeCommand, Target } from './command.ts';
import { eventsAbout, writeEvents } from './describe-events.ts';
import { describeBudget, describeConfigMap, describeCsiNode, describeGenerically, describeSecret } from './describe-others.ts';
import { describePod } from './describe-pod.ts';
import { describeClaim, describeClass, describeVolume } from './describe-storage.ts';
import { describeDeployment, describeReplicaSet, describeStatefulSet } from './describe-workloads.ts';
import { DescribeWriter } from './describe-writer.ts';
import type { KubectlOutcome } from './outcome.ts';
import { KubectlError, notFound, notModelled } from './outcome.ts';
import { qualifiedPlural, resourceOfKind } from './resources.ts';
import { labelMatcher } from './selector.ts';
import type { ClusterView } from './view.ts';
import { findObject, listInOrder } from './view.ts';

/** Runs a `describe` and prints what it found. Throws a KubectlError for mistakes in the command. */
export function runDescribe(command: DescribeCommand, view: ClusterView): KubectlOutcome {
  const namespace = command.allNamespaces ? undefined : (command.namespace ?? view.namespace);
  const errors: string[] = [];
  const texts: string[] = [];
  const chosen = command.targets.flatMap((target) => choose(target, command, view, namespace, errors));
  for (const object of chosen) {
    try {
      texts.push(describeObject(object, view, command.showEvents));
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      if (!errors.includes(error.message)) errors.push(error.message);
    }
  }
  const nothing = chosen.length === 0 && errors.length === 0;
  const missing = command.allNamespaces ? 'No resources found\n' : `No resources found in ${namespace ?? ''} namespace.\n`;
  const text = texts.join('\n\n') + (nothing ? missing : '') + errors.map((line) => `${line}\n`).join('');
  return { code: errors.length === 0 ? 0 : 1, text };
}

function choose(target: Target, command: DescribeCommand, view: ClusterView, namespace: string | undefined, errors: string[]): AnyObject[] {
  const { resource, name } = target;
  if (name === undefined) return listInOrder(view, resource.kind, namespace).filter(labelMatcher(command.selector));
  const found = findObject(view, resource.kind, name, namespace ?? view.namespace);
  if (found !== undefined) return [found];
  // `describe TYPE PREFIX` describes every object whose name begins so, when none has exactly that name.
  const byPrefix = command.targets.length === 1 ? listInOrder(view, resource.kind, namespace).filter((object) => object.metadata.name.startsWith(name)) : [];
  if (byPrefix.length === 0) errors.push(notFound(qualifiedPlural(resource), name).message);
  return byPrefix;
}

/** One object's description. Throws a KubectlError for a kind whose description is not modelled. */
export function describeObject(object: AnyObject, view: ClusterView, showEvents = true): string {
  const writer = new DescribeWriter();
  writeObject(writer, object, view);
  if (showEvents && object.kind !== 'Secret') writeEvents(writer, eventsAbout(view, object), view.now);
  return writer.text();
}

function writeObject(writer: DescribeWriter, object: AnyObject, view: ClusterView): void {
  switch (object.kind) {
    case 'Pod':
      return describePod(writer, object, view.now);
    case 'PersistentVolumeClaim':
      return describeClaim(writer, object, view);
    case 'PersistentVolume':
      return describeVolume(writer, object, view.now);
    case 'StorageClass':
      return describeClass(writer, object);
    case 'Deployment':
      return describeDeployment(writer, object, view);
    case 'ReplicaSet':
      return describeReplicaSet(writer, object, view);
    case 'StatefulSet':
      return describeStatefulSet(writer, object, view);
    case 'Node':
      if (view.describeNode === undefined) throw new Error('the part of kubectl that describes nodes is not loaded');
      return view.describeNode(writer, object, view);
    case 'CSINode':
      return describeCsiNode(writer, object);
    case 'Secret':
      return describeSecret(writer, object);
    case 'ConfigMap':
      return describeConfigMap(writer, object);
    case 'PodDisruptionBudget':
      return describeBudget(writer, object);
    case 'VolumeAttachment':
    case 'CSIDriver':
      return describeGenerically(writer, object);
    default:
      throw notModelled(`"kubectl describe" of ${resourceOfKind(object.kind).plural}`);
  }
}

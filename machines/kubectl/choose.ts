/** The objects that a command which changes objects is about. Source: k8s.io/cli-runtime pkg/resource/builder.go, v0.35. */
import type { AnyObject } from '../model/objects.ts';
import type { Selection } from './command-words.ts';
import { notFound } from './outcome.ts';
import { qualifiedPlural } from './resources.ts';
import { labelMatcher } from './selector.ts';
import type { ClusterView } from './view.ts';
import { findObject, listInOrder } from './view.ts';

/** Those there are, and kubectl's line for every name that is missing. */
export function chosenObjects(command: Selection, view: ClusterView): { objects: AnyObject[]; errors: string[] } {
  const namespace = command.allNamespaces ? undefined : (command.namespace ?? view.namespace);
  const keeps = labelMatcher(command.selector);
  const errors: string[] = [];
  const objects = command.targets.flatMap(({ resource, name }): AnyObject[] => {
    if (name === undefined) return listInOrder(view, resource.kind, namespace).filter(keeps);
    const found = findObject(view, resource.kind, name, namespace ?? view.namespace);
    if (found === undefined) errors.push(`${notFound(qualifiedPlural(resource), name).message}\n`);
    return found === undefined ? [] : [found];
  });
  return { objects, errors };
}

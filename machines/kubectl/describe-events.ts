/** The Events table at the end of a description. Source: `DescribeEvents` and `searchEvents`, k8s.io/kubectl v0.35 and client-go v0.35. */
import type { AnyObject, KubeEvent } from '../model/objects.ts';
import { ageSince } from './age.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { goSort } from './go-sort.ts';
import type { ClusterView } from './view.ts';
import { listInOrder } from './view.ts';

/**
 * The events about an object, in the order of the list call. The object's name, namespace and uid must be the event's;
 * for a pod kubectl does not ask for the kind, and a node's name counts as its uid too, which the kubelet once wrote.
 */
export function eventsAbout(view: ClusterView, object: AnyObject): KubeEvent[] {
  const { name, namespace, uid } = object.metadata;
  return listInOrder(view, 'Event', namespace).filter((event) => {
    const about = event.involvedObject;
    if (about.name !== name || (about.uid !== uid && !(object.kind === 'Node' && about.uid === name))) return false;
    if (namespace !== undefined && about.namespace !== namespace) return false;
    return object.kind === 'Pod' || about.kind === object.kind;
  });
}

/**
 * Writes the table, or `<none>`. Events stand by their last timestamp in whole seconds; the scheduler's, which have none,
 * come first. @recorded #detach-fails, #rolling-update
 */
export function writeEvents(writer: DescribeWriter, events: readonly KubeEvent[], now: number): void {
  if (events.length === 0) {
    writer.line(0, 'Events:\t<none>');
    return;
  }
  writer.endColumns();
  writer.write(0, 'Events:\n  Type\tReason\tAge\tFrom\tMessage\n');
  writer.line(1, '----\t------\t----\t----\t-------');
  for (const event of goSort(events, (left, right) => lastSeen(left) < lastSeen(right))) {
    const source = event.source.component ?? '';
    const cells = [event.type, event.reason, eventAge(event, now), source === '' ? event.reportingComponent : source, messageText(event)];
    writer.line(1, cells.join('\t'));
  }
}

function lastSeen(event: KubeEvent): number {
  return event.lastTimestamp === null ? Number.NEGATIVE_INFINITY : Date.parse(event.lastTimestamp);
}

/** `2s`, or `0s (x3 over 1s)` for an event that came more than once. */
export function eventAge(event: KubeEvent, now: number): string {
  const first = ageSince(event.eventTime ?? event.firstTimestamp, now);
  if (event.series !== undefined) return `${ageSince(event.series.lastObservedTime, now)} (x${event.series.count} over ${first})`;
  if ((event.count ?? 0) > 1) return `${ageSince(event.lastTimestamp, now)} (x${event.count ?? 0} over ${first})`;
  return first;
}

/** Container events carry the container in front. @recorded #read-only-one-container */
function messageText(event: KubeEvent): string {
  const message = event.message.trim();
  const path = event.involvedObject.fieldPath ?? '';
  return path === '' ? message : `${path}: ${message}`;
}

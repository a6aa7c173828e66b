/** What can be asked of a pod by name: its fields, its containers' resources (pkg/fieldpath, pkg/api/v1/resource, v1.35). */
import { amountOf } from '../controllers/scheduler/resources.ts';
import type { Container, Pod, ResourceFieldRef, StringMap } from './objects.ts';

/** A field of the pod as a file shows it: maps as sorted `key="value"` lines. @modelled ref 7.3 */
export function fieldValue({ metadata }: Pod, path: string): string {
  if (path === 'metadata.namespace') return metadata.namespace ?? '';
  if (path === 'metadata.labels') return mapLines(metadata.labels);
  if (path === 'metadata.annotations') return mapLines(metadata.annotations);
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed) return metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] ?? ''] ?? '';
  return path === 'metadata.name' ? metadata.name : path === 'metadata.uid' ? metadata.uid : '';
}

function mapLines(map: StringMap | undefined): string {
  return Object.entries(map ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

/** A request or limit of a container, rounded up to the divisor; an unset limit is taken from `node` where that is given. @modelled pkg/api/v1/resource/helpers.go, v1.35 */
export function containerResource(container: Container | undefined, { resource, divisor = '0' }: ResourceFieldRef, node?: StringMap): string {
  const [list, name = ''] = resource.split('.');
  const { limits, requests } = container?.resources ?? {};
  const quantity = list === 'limits' ? (limits?.[name] ?? node?.[name]) : requests?.[name];
  const unit = amountOf(name, divisor) || amountOf(name, '1');
  return quantity === undefined ? '0' : String(Math.ceil(amountOf(name, quantity) / unit));
}

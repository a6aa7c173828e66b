/** Every object of the run with its last write; opening one shows it whole. What does not exist is listed too. */
import { useState, type ReactNode } from 'react';
import type { AnyObject } from '../../../machines/model/objects.ts';
import { titleOf } from '../../trace-view/names.ts';
import { clock } from '../../trace-view/times.ts';
import { objectKey, worldAt, type Held, type World } from '../../trace-view/world.ts';
import { useSay } from '../text.tsx';
import type { Moment } from '../view.ts';
import { Yaml } from './Written.tsx';

interface Props {
  readonly moment: Moment;
  /** The key of the object that lies open. */
  readonly opened: string | undefined;
  readonly onOpen: (key: string | undefined) => void;
}

export function Objects({ moment, opened, onOpen }: Props): ReactNode {
  const say = useSay();
  const [whole, setWhole] = useState(true);
  const world = worldAt(moment.trace, moment.index);
  const rows = written(world, moment.index);
  const absent = absentRows(moment, world);
  const shown = opened === undefined ? undefined : world.objects.get(opened);
  return (
    <section>
      <table className="objs">
        <thead>
          <tr>
            <th scope="col">{say('objects')}</th>
            <th scope="col">
              <span className="vh">{say('lastWrite')}</span>
            </th>
            <th scope="col">
              <span className="vh">{say('content')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((held) => {
            const key = objectKey(held.object);
            const now = held.index === moment.index;
            return (
              <tr key={key} className={now ? 'now' : ''}>
                <td>
                  <button className="link" type="button" aria-expanded={opened === key} onClick={() => onOpen(opened === key ? undefined : key)}>
                    <code>{titleOf(held.object)}</code>
                  </button>
                </td>
                <td>{`${clock(held.t ?? 0)} ${say('seconds')}`}</td>
                <td>
                  {now && <>{say('thisStep')} </>}
                  <code>{headline(held.object)}</code>
                </td>
              </tr>
            );
          })}
          {absent.map(({ name, gone }) => (
            <tr key={name} className="gone">
              <td>
                <code>{name}</code>
              </td>
              <td />
              <td>{gone === undefined ? say('doesNotExist') : say('deletedAt', { t: clock(gone) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown !== undefined && (
        <div className="opened-object">
          <Yaml before={whole ? shown.object : shown.before} after={shown.object} whole={whole} onWhole={() => setWhole(!whole)} />
        </div>
      )}
    </section>
  );
}

/** Objects written since the first step, newest first; of the events only the one of this step. */
function written(world: World, index: number): Held[] {
  return [...world.objects.values()]
    .filter((held) => held.index >= 0 && (held.object.kind !== 'Event' || held.index === index))
    .sort((a, b) => b.index - a.index);
}

/** What the pods refer to and is not there, and what was deleted. */
function absentRows(moment: Moment, world: World): { name: string; gone: number | undefined }[] {
  const namespace = moment.trace.scenario.namespace;
  const rows = new Map<string, number | undefined>();
  const miss = (kind: string, title: string, name: string): void => {
    if (!world.objects.has(`${kind}/${namespace}/${name}`) && !world.gone.has(`${kind}/${namespace}/${name}`)) rows.set(`${title} ${name}`, undefined);
  };
  for (const { object } of world.objects.values()) {
    if (object.kind !== 'Pod' || object.metadata.namespace !== namespace) continue;
    for (const volume of object.spec.volumes ?? []) {
      if (volume.secret !== undefined) miss('Secret', 'Secret', volume.secret.secretName);
      if (volume.configMap !== undefined) miss('ConfigMap', 'ConfigMap', volume.configMap.name);
      if (volume.persistentVolumeClaim !== undefined) miss('PersistentVolumeClaim', 'PVC', volume.persistentVolumeClaim.claimName);
    }
  }
  for (const held of world.gone.values()) if (held.object.kind !== 'Event') rows.set(titleOf(held.object), held.t);
  return [...rows].map(([name, gone]) => ({ name, gone }));
}

/** The one field of an object that tells how it stands. */
function headline(object: AnyObject): string {
  switch (object.kind) {
    case 'PersistentVolumeClaim':
    case 'PersistentVolume':
      return `${object.metadata.deletionTimestamp === undefined ? '' : 'Terminating, '}phase: ${object.status.phase}`;
    case 'Pod': {
      const waiting = object.status.containerStatuses?.find((status) => status.state.waiting !== undefined)?.state.waiting?.reason;
      const unscheduled = object.status.conditions?.find((condition) => condition.type === 'PodScheduled' && condition.status === 'False');
      return [`${object.metadata.deletionTimestamp === undefined ? '' : 'Terminating, '}phase: ${object.status.phase}`, waiting, unscheduled === undefined ? undefined : 'PodScheduled=False'].filter((part) => part !== undefined).join(', ');
    }
    case 'VolumeAttachment':
      return `attached: ${object.status.attached}${object.status.attachError === undefined ? '' : ', attachError'}${object.status.detachError === undefined ? '' : ', detachError'}`;
    case 'Node':
      return `volumesAttached: ${object.status.volumesAttached?.length ?? 0}, volumesInUse: ${object.status.volumesInUse?.length ?? 0}`;
    case 'StorageClass':
      return object.provisioner;
    case 'Event':
      return object.reason;
    case 'StatefulSet':
    case 'Deployment':
    case 'ReplicaSet':
      return `replicas: ${object.spec.replicas ?? 1}, ready: ${String(object.status['readyReplicas'] ?? 0)}`;
    default:
      return '';
  }
}

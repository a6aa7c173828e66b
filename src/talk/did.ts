/** What a change of a run is called on the stage, once it was made. */
import type { TalkText } from '../i18n/talk.ts';
import type { Action } from '../lab/actions.ts';

export function didText(action: Action, text: TalkText): string {
  const { did } = text;
  switch (action.do) {
    case 'secret':
      return action.there ? did.made('Secret', action.name) : did.left('Secret', action.name);
    case 'configMap':
      return action.there ? did.made('ConfigMap', action.name) : did.left('ConfigMap', action.name);
    case 'zone':
      return action.zone === null ? did.anywhere : did.zone(action.zone);
    case 'mode':
      return did.field(action.claim, action.mode);
    case 'class':
      return did.field(action.claim, action.class);
    case 'fail':
      return action.on ? did.fails(action.method) : did.works(action.method);
    case 'create':
      return did.made(action.kind, action.name);
    case 'createClass':
      return did.made('StorageClass', action.name);
    case 'createClaim':
      return did.made('PersistentVolumeClaim', action.name);
    case 'createVolume':
    case 'restoreVolume':
      return did.made('PersistentVolume', action.claim);
    case 'addKey':
      return did.field(action.name, action.key);
    case 'clearNode':
      return did.field(action.claim, 'selected-node: null');
    case 'clearClaimRef':
      return did.field(action.target, 'claimRef: null');
    case 'remake':
      return did.recreated(action.class);
    case 'remakePod':
      return did.recreated(action.how);
    case 'untaint':
      return did.untainted(action.node);
    case 'strategy':
      return did.field(action.deployment, 'strategy: Recreate');
    case 'uncordon':
      return did.field(action.node, 'unschedulable: null');
    case 'second':
      return did.second;
    case 'recreate':
      return did.recreated(action.class);
    case 'delete':
      return did.deleted(action.target);
    case 'outOfService':
      return did.tainted(action.node);
    case 'taint':
      return action.on ? did.tainted(action.node) : did.untainted(action.node);
    case 'pause':
      return action.on ? did.silenced(action.node) : did.woken(action.node);
    case 'exec':
      return action.what === 'writeRead' ? did.wrote : did.looked;
    case 'wait':
      return did.waited(action.seconds);
  }
}

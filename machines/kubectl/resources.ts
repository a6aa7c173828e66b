/** The resource types kubectl knows here: their names on the command line and in messages. */
import { KINDS } from '../model/kinds.ts';
import type { Kind } from '../model/objects.ts';

export interface Resource {
  readonly kind: Kind;
  /** Plural, lower case, as in the API's path. */
  readonly plural: string;
  /** API group; empty for the core group. */
  readonly group: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

/** Short words of scenarios that the API server does not know. Source: pkg/registry/storage/volumeattachment, v1.35 (no ShortNames). */
const SCENARIO_WORDS: ReadonlySet<string> = new Set(['va']);

const RESOURCES: ReadonlyMap<Kind, Resource> = new Map(
  (Object.keys(KINDS) as Kind[]).map((kind) => {
    const { apiVersion, plural, short, namespaced } = KINDS[kind];
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    return [kind, { kind, plural, group, shortNames: short.filter((name) => !SCENARIO_WORDS.has(name)), namespaced }];
  }),
);

/** What `kubectl get all` asks for, of the types there are here. */
const CATEGORY_ALL: readonly Kind[] = ['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet'];

/** The resource type of a kind, as manifests, events and owner references name it. */
export function resourceOfKind(kind: Kind): Resource {
  const resource = RESOURCES.get(kind);
  if (resource === undefined) throw new Error(`kubectl: no resource for kind ${kind}`);
  return resource;
}

/** The resource types that a word on the command line names; undefined when the API server has no such type. */
export function resourcesNamed(word: string): readonly Resource[] | undefined {
  if (word.toLowerCase() === 'all') return CATEGORY_ALL.map(resourceOfKind);
  const [name = '', ...groupParts] = word.toLowerCase().split('.');
  const group = groupParts.join('.');
  const found = [...RESOURCES.values()].find((resource) => matches(resource, name) && (group === '' || matchesGroup(resource, group)));
  return found === undefined ? undefined : [found];
}

function matches(resource: Resource, name: string): boolean {
  return resource.plural === name || resource.kind.toLowerCase() === name || resource.shortNames.includes(name);
}

/** `deployments.apps` and `deployments.v1.apps` both name the group. */
function matchesGroup(resource: Resource, group: string): boolean {
  return resource.group === group || group === 'v1' || group === `v1.${resource.group}`;
}

/** `persistentvolumeclaims`, `volumeattachments.storage.k8s.io`: the type as error messages name it. */
export function qualifiedPlural(resource: Resource): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** `pod`, `volumeattachment.storage.k8s.io`: the prefix of a name in a list of several kinds. */
export function qualifiedSingular(resource: Resource): string {
  const singular = resource.kind.toLowerCase();
  return resource.group === '' ? singular : `${singular}.${resource.group}`;
}

/** Types that every API server of v1.35 has and the simulated one has not: plural, singular and short names. */
const SERVED_ELSEWHERE: ReadonlySet<string> = new Set(
  (
    'namespace namespaces ns service services svc endpoints ep endpointslice endpointslices serviceaccount serviceaccounts sa job jobs cronjob cronjobs cj daemonset daemonsets ds ' +
    'replicationcontroller replicationcontrollers rc resourcequota resourcequotas quota limitrange limitranges limits ingress ingresses ing ingressclass ingressclasses networkpolicy networkpolicies netpol ' +
    'horizontalpodautoscaler horizontalpodautoscalers hpa role roles rolebinding rolebindings clusterrole clusterroles clusterrolebinding clusterrolebindings csistoragecapacity csistoragecapacities ' +
    'volumeattributesclass volumeattributesclasses vac runtimeclass runtimeclasses podtemplate podtemplates componentstatus componentstatuses cs customresourcedefinition customresourcedefinitions crd crds apiservice apiservices ' +
    'mutatingwebhookconfiguration mutatingwebhookconfigurations validatingwebhookconfiguration validatingwebhookconfigurations validatingadmissionpolicy validatingadmissionpolicies certificatesigningrequest certificatesigningrequests csr ' +
    'flowschema flowschemas prioritylevelconfiguration prioritylevelconfigurations resourceclaim resourceclaims deviceclass deviceclasses resourceslice resourceslices servicecidr servicecidrs ipaddress ipaddresses ip'
  ).split(' '),
);

/** Whether a word names a type that a real API server would know, so that to deny it would be wrong. */
export function isServedElsewhere(word: string): boolean {
  return SERVED_ELSEWHERE.has((word.split('.')[0] ?? word).toLowerCase());
}

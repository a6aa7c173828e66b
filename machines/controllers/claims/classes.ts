/** StorageClasses as claims meet them. */
import type { ApiServer } from '../../kernel/api-server.ts';
import type { PersistentVolumeClaim, StorageClass } from '../../model/objects.ts';
import { classNameOf } from './annotations.ts';

/** True for the class annotated as default; the beta spelling counts too (component-helpers IsDefaultAnnotationText). */
function isDefaultClass(storageClass: StorageClass): boolean {
  const annotations = storageClass.metadata.annotations ?? {};
  return annotations['storageclass.kubernetes.io/is-default-class'] === 'true' || annotations['storageclass.beta.kubernetes.io/is-default-class'] === 'true';
}

/** Of several default classes the newest, then the first by name (util/storage GetDefaultClass, v1.35). @recorded #default-class-local-path */
export function defaultClassName(api: ApiServer): string | undefined {
  const defaults = [...api.list('StorageClass')].filter(isDefaultClass);
  const newest = defaults.toSorted((a, b) => b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp) || a.metadata.name.localeCompare(b.metadata.name));
  return newest[0]?.metadata.name;
}

export function classOf(api: ApiServer, claim: PersistentVolumeClaim): StorageClass | undefined {
  return api.get('StorageClass', undefined, classNameOf(claim));
}

/** Whether the claim's class waits for its first consumer; a class that does not exist does not (IsDelayBindingMode). @recorded #wait-for-first-consumer, #class-not-found */
export function isDelayBinding(api: ApiServer, claim: PersistentVolumeClaim): boolean {
  return classOf(api, claim)?.volumeBindingMode === 'WaitForFirstConsumer';
}

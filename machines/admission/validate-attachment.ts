/** What is refused of a VolumeAttachment (pkg/apis/storage/validation/validation.go, v1.35). */
import type { VolumeAttachment } from '../model/objects.ts';
import { deepEqual } from '../model/values.ts';
import { FieldErrors } from './field-errors.ts';

/** Throws ApiError for a new attachment that is not valid. @modelled pkg/apis/storage/validation/validation.go (ValidateVolumeAttachment), v1.35 */
export function validateAttachment(attachment: VolumeAttachment): void {
  const { attacher, nodeName, source } = (attachment.spec as Partial<VolumeAttachment['spec']> | undefined) ?? {};
  const errors = new FieldErrors();
  if ((attacher ?? '') === '') errors.required('spec.attacher');
  if ((source?.persistentVolumeName ?? '') === '') errors.required('spec.source', 'must specify exactly one of inlineVolumeSpec and persistentVolumeName');
  if ((nodeName ?? '') === '') errors.required('spec.nodeName');
  errors.throwFor(attachment);
}

/** An attachment's spec stays as it was made. @modelled pkg/apis/storage/validation/validation.go (ValidateVolumeAttachmentUpdate), v1.35 */
export function validateAttachmentUpdate(old: VolumeAttachment, next: VolumeAttachment): void {
  if (old.spec === next.spec || deepEqual(old.spec, next.spec)) return;
  const errors = new FieldErrors();
  errors.immutable('spec', old.spec, next.spec);
  errors.throwFor(next);
}

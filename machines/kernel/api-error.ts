/** What the API server answers instead of doing it. */
export type ApiErrorReason = 'NotFound' | 'AlreadyExists' | 'Conflict' | 'Invalid' | 'Forbidden' | 'BadRequest' | 'TooManyRequests' | 'InternalError';

/** One field that is wrong, and how (apimachinery pkg/util/validation/field, v1.35). */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export class ApiError extends Error {
  readonly reason: ApiErrorReason;
  /** The fields of an Invalid answer, in the order the API server checks them. */
  readonly causes: readonly FieldError[];
  /** Kind and name that an Invalid answer is about. */
  readonly subject: { readonly kind: string; readonly name: string } | undefined;

  constructor(reason: ApiErrorReason, message: string, causes: readonly FieldError[] = [], subject?: { readonly kind: string; readonly name: string }) {
    super(message);
    this.name = 'ApiError';
    this.reason = reason;
    this.causes = causes;
    this.subject = subject;
  }
}

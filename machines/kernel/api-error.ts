/** What the API server answers instead of doing it, in the words that kubectl prints. */
export type ApiErrorReason = 'NotFound' | 'AlreadyExists' | 'Conflict' | 'Invalid' | 'Forbidden' | 'BadRequest';

export class ApiError extends Error {
  readonly reason: ApiErrorReason;

  constructor(reason: ApiErrorReason, message: string) {
    super(message);
    this.name = 'ApiError';
    this.reason = reason;
  }

  /** kubectl's line: an Invalid error names its object itself, every other is `Error from server (REASON): …`. */
  get kubectlText(): string {
    return this.reason === 'Invalid' ? `The ${this.message}` : `Error from server (${this.reason}): ${this.message}`;
  }
}

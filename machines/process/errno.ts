/** The errors that file operations meet, with the texts of the C library. */
const TEXTS = {
  EPERM: 'Operation not permitted',
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EBUSY: 'Device or resource busy',
  EEXIST: 'File exists',
  EXDEV: 'Invalid cross-device link',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EINVAL: 'Invalid argument',
  ENAMETOOLONG: 'File name too long',
  ENOSPC: 'No space left on device',
  EROFS: 'Read-only file system',
  ELOOP: 'Too many levels of symbolic links',
  ENOTEMPTY: 'Directory not empty',
  /** Not an error of Linux: the simulation has no such file, a real container might. */
  NOT_MODELLED: 'not modelled by this simulation',
} as const;
export type Errno = keyof typeof TEXTS;

/** The C library's text for an error. */
export function errorText(errno: Errno): string {
  return TEXTS[errno];
}

/** A file operation that failed. `message` is the C library's text for it. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly errno: Errno;

  constructor(errno: Errno) {
    // An answer to the program that asked, not a fault of ours: a stack trace would cost more than the whole operation.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(TEXTS[errno]);
    Error.stackTraceLimit = stackTraceLimit;
    this.errno = errno;
  }
}

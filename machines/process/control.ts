/** How a script leaves where it is. Thrown by builtins, caught by the shell. */

/** `exit`, or an error that ends the shell. */
export class ExitShell extends Error {
  override readonly name = 'ExitShell';
  readonly status: number;

  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** `return` from a function or a sourced file. */
export class Return extends Error {
  override readonly name = 'Return';
  readonly status: number;

  constructor(status: number) {
    super(`return ${status}`);
    this.status = status;
  }
}

class LoopExit extends Error {
  /** How many loops it leaves. */
  readonly levels: number;

  constructor(levels: number) {
    super(`out of ${levels} loops`);
    this.levels = levels;
  }
}

export class Break extends LoopExit {
  override readonly name = 'Break';
}

export class Continue extends LoopExit {
  override readonly name = 'Continue';
}

/** `test` and `[`. Source: busybox 1.35, coreutils/test.c. */
import type { AppletRun } from './applet.ts';
import { complain, NotModelled } from './applet.ts';
import { FileError } from './errno.ts';
import type { FileStatus } from './mounted-files.ts';

class TestError extends Error {
  override readonly name = 'TestError';
}

/** Status 0: true, 1: false, 2: an expression that is none. */
export function testCommand(run: AppletRun): number {
  let words = run.args;
  if (run.name === '[' || run.name === '[[') {
    const close = run.name === '[' ? ']' : ']]';
    if (words.at(-1) !== close) {
      complain(run, `missing ${close}`);
      return 2;
    }
    words = words.slice(0, -1);
  }
  try {
    return new TestReader(run, words).evaluate() ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TestError)) throw error;
    complain(run, error.message);
    return 2;
  }
}

const FILE_TESTS = new Set(['-e', '-f', '-d', '-b', '-c', '-r', '-w', '-x', '-s', '-L', '-h', '-p', '-S', '-u', '-g', '-k', '-O', '-G']);
const TEXT_TESTS = new Set(['-z', '-n']);
const NUMBER_COMPARISONS: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
};
const TEXT_COMPARISONS: Readonly<Record<string, (left: string, right: string) => boolean>> = {
  '=': (left, right) => left === right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
};

function isBinary(word: string | undefined): word is string {
  return word !== undefined && (word in NUMBER_COMPARISONS || word in TEXT_COMPARISONS || ['-nt', '-ot', '-ef'].includes(word));
}

class TestReader {
  readonly #run: AppletRun;
  readonly #words: readonly string[];
  #index = 0;

  constructor(run: AppletRun, words: readonly string[]) {
    this.#run = run;
    this.#words = words;
  }

  /** Up to four words have a meaning of their own by their number (POSIX); more are read by grammar. */
  evaluate(): boolean {
    const [first, second, third] = this.#words;
    if (this.#words.length === 0) return false;
    if (this.#words.length === 1) return first !== '';
    if (this.#words.length === 2 && first === '!') return second === '';
    if (this.#words.length === 3 && isBinary(second)) return this.#compare(first ?? '', second, third ?? '');
    const value = this.#or();
    if (this.#index < this.#words.length) throw new TestError(`${this.#words[this.#index] ?? ''}: unknown operand`);
    return value;
  }

  #peek(ahead = 0): string | undefined {
    return this.#words[this.#index + ahead];
  }

  #or(): boolean {
    let value = this.#and();
    while (this.#peek() === '-o') {
      this.#index += 1;
      const right = this.#and();
      value = value || right;
    }
    return value;
  }

  #and(): boolean {
    let value = this.#not();
    while (this.#peek() === '-a') {
      this.#index += 1;
      const right = this.#not();
      value = value && right;
    }
    return value;
  }

  #not(): boolean {
    let negated = false;
    while (this.#peek() === '!' && this.#peek(1) !== undefined && !isBinary(this.#peek(1))) {
      this.#index += 1;
      negated = !negated;
    }
    return this.#primary() !== negated;
  }

  #primary(): boolean {
    const word = this.#peek();
    if (word === undefined) throw new TestError('argument expected');
    if (word === '(' && !isBinary(this.#peek(1))) {
      this.#index += 1;
      const value = this.#or();
      if (this.#peek() !== ')') throw new TestError('closing paren expected');
      this.#index += 1;
      return value;
    }
    const operator = this.#peek(1);
    if (isBinary(operator) && this.#peek(2) !== undefined) {
      const right = this.#peek(2) ?? '';
      this.#index += 3;
      return this.#compare(word, operator, right);
    }
    if (this.#peek(1) !== undefined && (FILE_TESTS.has(word) || TEXT_TESTS.has(word) || word === '-t')) {
      const operand = this.#peek(1) ?? '';
      this.#index += 2;
      return this.#unary(word, operand);
    }
    this.#index += 1;
    if (isBinary(this.#peek())) throw new TestError(`${this.#peek() ?? ''}: argument expected`);
    return word !== '';
  }

  #unary(operator: string, operand: string): boolean {
    if (operator === '-z') return operand === '';
    if (operator === '-n') return operand !== '';
    if (operator === '-t') return false;
    const { files } = this.#run;
    if (operator === '-r') return files.mayAccess(operand, 'read');
    if (operator === '-w') return files.mayAccess(operand, 'write');
    if (operator === '-x') return files.mayAccess(operand, 'execute');
    const status = this.#status(operand, operator !== '-L' && operator !== '-h');
    return status !== undefined && holds(operator, status, files.who);
  }

  #status(path: string, followLast: boolean): FileStatus | undefined {
    try {
      return this.#run.files.status(path, { followLast });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.errno === 'NOT_MODELLED') throw new NotModelled(path);
      return undefined;
    }
  }

  #compare(left: string, operator: string, right: string): boolean {
    const texts = TEXT_COMPARISONS[operator];
    if (texts !== undefined) return texts(left, right);
    const numbers = NUMBER_COMPARISONS[operator];
    if (numbers !== undefined) return numbers(integer(left), integer(right));
    const [first, second] = [this.#status(left, true), this.#status(right, true)];
    if (operator === '-ef') return first !== undefined && first.node === second?.node;
    const [older, newer] = operator === '-nt' ? [second, first] : [first, second];
    if (newer === undefined) return false;
    return older === undefined || newer.node.mtimeMs > older.node.mtimeMs;
  }
}

function integer(text: string): bigint {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new TestError(`${text}: bad number`);
  return BigInt(text.trim().replace(/^\+/, ''));
}

function holds(operator: string, status: FileStatus, who: { readonly uid: number; readonly gid: number }): boolean {
  const { node } = status;
  switch (operator) {
    case '-e':
      return true;
    case '-f':
      return node.type === 'file' || node.type === 'generated';
    case '-d':
      return node.type === 'directory';
    case '-b':
      return node.type === 'block-device';
    case '-c':
      return node.type === 'character-device';
    case '-L':
    case '-h':
      return node.type === 'symlink';
    case '-s':
      return status.size > 0;
    case '-u':
      return (node.mode & 0o4000) !== 0;
    case '-g':
      return (node.mode & 0o2000) !== 0;
    case '-k':
      return (node.mode & 0o1000) !== 0;
    case '-O':
      return node.uid === who.uid;
    case '-G':
      return node.gid === who.gid;
    default:
      // Pipes and sockets: there are none.
      return false;
  }
}

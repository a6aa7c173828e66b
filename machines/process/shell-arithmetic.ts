/** `$((…))`: integers of 64 bits with C's operators. Source: POSIX.1-2017 2.6.4; busybox 1.35, shell/math.c. */

/** An expression that cannot be computed. The message is ash's. */
export class ArithmeticError extends Error {
  override readonly name = 'ArithmeticError';
}

export interface Variables {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

const TOKENS = /\s*(0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|<<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|[-+*/%<>=!~&|^?:(),])/y;
const ASSIGNMENTS: Readonly<Record<string, string>> = {
  '=': '', '+=': '+', '-=': '-', '*=': '*', '/=': '/', '%=': '%', '<<=': '<<', '>>=': '>>', '&=': '&', '|=': '|', '^=': '^',
};
/** Binary operators by precedence, weakest first. */
const LEVELS: readonly (readonly string[])[] = [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '>', '<=', '>='], ['<<', '>>'], ['+', '-'], ['*', '/', '%'], ['**']];
const DEEPEST = 200;

/** The value of an expression, substitutions already made. Throws an ArithmeticError. */
export function evaluateArithmetic(expression: string, variables: Variables): bigint {
  return evaluateWithin(expression, variables, []);
}

/** `within`: variables whose values are being evaluated. */
function evaluateWithin(expression: string, variables: Variables, within: readonly string[]): bigint {
  if (expression.trim() === '') return 0n;
  return new Evaluator(tokenize(expression), variables, within).evaluate();
}

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < expression.length) {
    const start = TOKENS.lastIndex;
    const match = TOKENS.exec(expression);
    if (match === null) {
      if (expression.slice(start).trim() === '') break;
      throw new ArithmeticError('arithmetic syntax error');
    }
    tokens.push(match[1] ?? '');
  }
  return tokens;
}

class Evaluator {
  readonly #tokens: readonly string[];
  readonly #variables: Variables;
  readonly #within: readonly string[];
  #index = 0;
  #depth = 0;
  /** Inside a branch that is not taken: nothing is assigned, and nothing divided by zero. */
  #skipping = 0;

  constructor(tokens: readonly string[], variables: Variables, within: readonly string[]) {
    this.#tokens = tokens;
    this.#variables = variables;
    this.#within = within;
  }

  evaluate(): bigint {
    const value = this.#comma();
    if (this.#index < this.#tokens.length) throw new ArithmeticError('arithmetic syntax error');
    return value;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#index];
  }

  #accept(...texts: string[]): string | undefined {
    const token = this.#peek();
    if (token === undefined || !texts.includes(token)) return undefined;
    this.#index += 1;
    return token;
  }

  #comma(): bigint {
    let value = this.#assignment();
    while (this.#accept(',') !== undefined) value = this.#assignment();
    return value;
  }

  #assignment(): bigint {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new ArithmeticError('arithmetic syntax error');
    const value = this.#assignmentInside();
    this.#depth -= 1;
    return value;
  }

  #assignmentInside(): bigint {
    const name = this.#peek();
    const operator = this.#tokens[this.#index + 1];
    const binary = operator === undefined ? undefined : ASSIGNMENTS[operator];
    if (name === undefined || !/^[A-Za-z_]/.test(name) || binary === undefined) return this.#conditional();
    this.#index += 2;
    const right = this.#assignment();
    return this.#store(name, binary === '' ? right : this.#apply(binary, this.#value(name), right));
  }

  #store(name: string, value: bigint): bigint {
    if (this.#skipping === 0) this.#variables.set(name, String(value));
    return value;
  }

  #conditional(): bigint {
    const test = this.#binary(0);
    if (this.#accept('?') === undefined) return test;
    const yes = this.#unless(test === 0n, () => this.#assignment());
    if (this.#accept(':') === undefined) throw new ArithmeticError('malformed ?: operator');
    const no = this.#unless(test !== 0n, () => this.#assignment());
    return test === 0n ? no : yes;
  }

  #unless(skip: boolean, read: () => bigint): bigint {
    if (skip) this.#skipping += 1;
    const value = read();
    if (skip) this.#skipping -= 1;
    return value;
  }

  #binary(level: number): bigint {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = this.#accept(...operators);
      if (operator === undefined) return left;
      const decided = (operator === '&&' && left === 0n) || (operator === '||' && left !== 0n);
      const value = left;
      const right = this.#unless(decided, () => (operator === '**' ? this.#binary(level) : this.#binary(level + 1)));
      left = this.#apply(operator, value, right);
    }
  }

  #apply(operator: string, left: bigint, right: bigint): bigint {
    switch (operator) {
      case '||':
        return truth(left !== 0n || right !== 0n);
      case '&&':
        return truth(left !== 0n && right !== 0n);
      case '==':
        return truth(left === right);
      case '!=':
        return truth(left !== right);
      case '<':
        return truth(left < right);
      case '>':
        return truth(left > right);
      case '<=':
        return truth(left <= right);
      case '>=':
        return truth(left >= right);
      case '/':
      case '%':
        if (right === 0n && this.#skipping > 0) return 0n;
        if (right === 0n) throw new ArithmeticError('divide by zero');
        return wrap(operator === '/' ? left / right : left % right);
      case '**':
        if (right < 0n) throw new ArithmeticError('exponent less than 0');
        return power(left, right);
      case '<<':
        return wrap(left << (right & 63n));
      case '>>':
        return wrap(left >> (right & 63n));
      case '+':
        return wrap(left + right);
      case '-':
        return wrap(left - right);
      case '*':
        return wrap(left * right);
      case '&':
        return left & right;
      case '|':
        return left | right;
      default:
        return left ^ right;
    }
  }

  #unary(): bigint {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new ArithmeticError('arithmetic syntax error');
    const value = this.#unaryInside();
    this.#depth -= 1;
    return value;
  }

  #unaryInside(): bigint {
    const step = this.#accept('++', '--');
    if (step !== undefined) {
      const name = this.#peek();
      if (name === undefined || !/^[A-Za-z_]/.test(name)) throw new ArithmeticError('arithmetic syntax error');
      this.#index += 1;
      return this.#store(name, wrap(this.#value(name) + (step === '++' ? 1n : -1n)));
    }
    switch (this.#accept('+', '-', '!', '~')) {
      case '+':
        return this.#unary();
      case '-':
        return wrap(-this.#unary());
      case '!':
        return truth(this.#unary() === 0n);
      case '~':
        return wrap(~this.#unary());
      default:
        return this.#primary();
    }
  }

  #primary(): bigint {
    if (this.#accept('(') !== undefined) {
      const value = this.#comma();
      if (this.#accept(')') === undefined) throw new ArithmeticError('arithmetic syntax error');
      return value;
    }
    const token = this.#peek();
    if (token === undefined || !/^\w/.test(token)) throw new ArithmeticError('arithmetic syntax error');
    this.#index += 1;
    if (/^\d/.test(token)) return literal(token);
    const value = this.#value(token);
    const step = this.#accept('++', '--');
    if (step !== undefined) this.#store(token, wrap(value + (step === '++' ? 1n : -1n)));
    return value;
  }

  /** A variable's value, itself an expression; one that is unset or empty counts as zero. */
  #value(name: string): bigint {
    if (this.#within.includes(name)) throw new ArithmeticError('expression recursion loop detected');
    return evaluateWithin(this.#variables.get(name) ?? '', this.#variables, [...this.#within, name]);
  }
}

function truth(value: boolean): bigint {
  return value ? 1n : 0n;
}

function wrap(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = wrap(result * square);
    square = wrap(square * square);
  }
  return result;
}

/** Decimal, hexadecimal with 0x, octal with a leading 0. */
function literal(text: string): bigint {
  if (/^0[xX]/.test(text)) return wrap(BigInt(text));
  if (!/^0\d/.test(text)) return wrap(BigInt(text));
  if (/[89]/.test(text)) throw new ArithmeticError('arithmetic syntax error');
  return wrap(BigInt(`0o${text.slice(1)}`));
}

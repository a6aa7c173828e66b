/**
 * A small POSIX shell with the ways of busybox 1.35's ash: what `sh -c` in a container does.
 *
 * It runs on virtual time: a generator gives way wherever the script waits, and the caller lets it go on when that time
 * has come. Pipelines run their commands one after the other, each with the whole output of the one before it.
 */
import { runApplet } from './applets.ts';
import { type Builtin, builtinNamed, SPECIAL_BUILTINS } from './builtins.ts';
import { Break, Continue, ExitShell, Return } from './control.ts';
import { type Errno, errorText, FileError } from './errno.ts';
import type { MountedFiles } from './mounted-files.ts';
import { isApplet, isModelledApplet } from './not-modelled.ts';
import type { AndOr, Assignment, Command, List, Pipeline, Redirect } from './shell-ast.ts';
import type { ExpansionScope } from './shell-expansion.ts';
import { expandPattern, expandText, expandValue, expandWords, plainWords, ShellFatal } from './shell-expansion.ts';
import { linesOf, ShellSyntaxError } from './shell-parser.ts';
import { matchesPattern } from './shell-pattern.ts';
import type { Descriptor, Descriptors } from './streams.ts';
import { Capture, LONGEST_TEXT, TextInput, writeTo } from './streams.ts';
import type { ProcessHost, SignalName, Steps, Wait } from './task.ts';

/** Calls of functions, substitutions and scripts within each other. */
const DEEPEST_CALLS = 150;

export interface Variable {
  value: string | undefined;
  exported: boolean;
  readOnly: boolean;
}

/** What a trap does: a script, or nothing at all for a signal that is ignored. */
export type Trap = { readonly script: string } | 'ignore';

interface ShellStart {
  readonly host: ProcessHost;
  readonly files: MountedFiles;
  readonly open: Descriptors;
  /** `$0`, and the name in front of the shell's own messages. */
  readonly name: string;
  readonly positional: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly depth?: number;
  /** Number of the script's first line in messages: 1 for a file, 0 for `-c`. */
  readonly firstLine?: number;
}

/** One shell, or a subshell of one. */
export class Shell implements ExpansionScope {
  readonly host: ProcessHost;
  readonly files: MountedFiles;
  readonly name: string;
  /** Most scripts have none of these three: a change makes a new value, and subshells share it. */
  functions: ReadonlyMap<string, Command> = NO_FUNCTIONS;
  traps: ReadonlyMap<SignalName | 'EXIT', Trap> = NO_TRAPS;
  options: ReadonlySet<string> = NO_OPTIONS;
  open: Descriptors;
  positional: readonly string[];
  status = 0;
  /** Saved values of the function that runs: what `local` gives back. Undefined outside functions. */
  locals: Map<string, Variable | undefined> | undefined;
  /** Loops around the command that runs. */
  loops = 0;
  /** Line of the command that runs, for messages of builtins. */
  line = 0;
  /** The builtin that runs, or the file that `.` reads: what messages name. */
  builtin: string | undefined;
  /** The environment that it began with, and where it stood then. */
  readonly #inherited: ReadonlyMap<string, string>;
  readonly #startedIn: string;
  #variables: Map<string, Variable> | undefined;
  #firstLine: number;
  /** The shell of the process itself, which handles its signals; false in subshells. */
  #handlesSignals = true;
  #depth: number;
  /** Inside a condition, where `set -e` does not end the shell. */
  #conditions = 0;
  /** Status of the last command substitution of the command that runs. */
  #substitutionStatus: number | undefined;

  constructor(start: ShellStart) {
    this.host = start.host;
    this.files = start.files;
    this.open = start.open;
    this.name = start.name;
    this.positional = start.positional;
    this.#depth = start.depth ?? 0;
    this.#firstLine = start.firstLine ?? 0;
    this.#inherited = start.environment;
    this.#startedIn = start.files.cwd;
  }

  /** Laid out when they are first listed or changed: most scripts only start a program. */
  get variables(): Map<string, Variable> {
    if (this.#variables) return this.#variables;
    this.#variables = new Map();
    for (const [name, value] of this.#initial()) this.#variables.set(name, { value, exported: true, readOnly: false });
    return this.#variables;
  }

  #initial(): Map<string, string> {
    return new Map(this.#inherited).set('PWD', this.#startedIn);
  }

  #valueOf(name: string): string | undefined {
    if (this.#variables) return this.#variables.get(name)?.value;
    return name === 'PWD' ? this.#startedIn : this.#inherited.get(name);
  }

  get noGlob(): boolean {
    return this.options.has('f');
  }

  get noUnset(): boolean {
    return this.options.has('u');
  }

  /** Runs a whole script and returns its exit status. */
  *run(script: string): Steps<number> {
    try {
      yield* this.evaluate(script);
    } catch (error) {
      if (error instanceof ExitShell || error instanceof Return) this.status = error.status;
      else if (!(error instanceof Break || error instanceof Continue)) this.#failed(error);
    }
    return yield* this.#leave();
  }

  /** What the shell says of an error that ends it. Anything that is not the script's fault goes on up. */
  #failed(error: unknown): void {
    if (error instanceof ShellFatal) this.complain(error.message);
    else if (error instanceof ShellSyntaxError) this.complain(error.message);
    else if (error instanceof FileError) this.complain(`write error: ${error.message}`);
    else throw error;
    this.status = error instanceof ShellFatal ? error.status : error instanceof ShellSyntaxError ? 2 : 1;
  }

  /** Runs the trap on EXIT. */
  *#leave(): Steps<number> {
    const trap = this.traps.get('EXIT');
    if (trap !== undefined) this.traps = without(this.traps, 'EXIT');
    if (trap === undefined || trap === 'ignore') return this.status;
    const status = this.status;
    try {
      yield* this.evaluate(trap.script);
      this.status = status;
    } catch (error) {
      if (error instanceof ExitShell) this.status = error.status;
      else this.#failed(error);
    }
    return this.status;
  }

  /** Runs a script in this shell, as `eval` and `.` do. Each line is read when the one before it has run. */
  *evaluate(script: string): Steps<number> {
    this.#depth += 1;
    if (this.#depth > DEEPEST_CALLS) throw new ShellFatal(`calls nested deeper than ${DEEPEST_CALLS}: not modelled by this simulation`, 127);
    const lines = linesOf(script);
    let at = 0;
    for (let list = lines.at(at); list !== undefined; list = lines.at(at)) {
      at += 1;
      yield* this.#list(list);
    }
    this.#depth -= 1;
    return this.status;
  }

  /** Runs a file's script in this shell; messages name the file and count its lines from 1. */
  *source(file: string, script: string): Steps<number> {
    const firstLine = this.#firstLine;
    this.builtin = file;
    this.#firstLine = 1;
    const status = yield* this.evaluate(script);
    this.#firstLine = firstLine;
    return status;
  }

  get(name: string): string | undefined {
    switch (name) {
      case '?':
        return String(this.status);
      case '$':
        return String(this.host.pid);
      case '#':
        return String(this.positional.length);
      case '0':
        return this.name;
      case '-':
        return [...this.options].join('');
      case '!':
        return undefined;
    }
    return /^\d+$/.test(name) ? this.positional[Number(name) - 1] : this.#valueOf(name);
  }

  /** Sets a variable. Throws a ShellFatal when it is read-only. */
  set(name: string, value: string): void {
    if (value.length > LONGEST_TEXT) throw new ShellFatal('out of memory');
    const known = this.variables.get(name);
    if (known?.readOnly === true) throw new ShellFatal(`${name}: is read only`);
    this.variables.set(name, { value, exported: known?.exported === true || this.options.has('a'), readOnly: false });
  }

  setOption(letter: string, on: boolean): void {
    if (on === this.options.has(letter)) return;
    this.options = optionSet(on ? [...this.options, letter] : [...this.options].filter((option) => option !== letter));
  }

  /** The environment of commands that it starts. */
  environment(): Map<string, string> {
    if (!this.#variables) return this.#initial();
    const exported = new Map<string, string>();
    for (const [name, variable] of this.#variables) if (variable.exported && variable.value !== undefined) exported.set(name, variable.value);
    return exported;
  }

  *substitute(body: List): Steps<string> {
    const captured = new Capture();
    const child = this.#fork(new Map(this.open).set(1, { output: captured }));
    // ash does not hand `set -e` on to a command substitution.
    child.setOption('e', false);
    this.#substitutionStatus = yield* child.#subshell(body);
    return captured.text().replace(/\n+$/, '').replaceAll('\0', '');
  }

  /** A message on standard error: `sh: …`, or `sh: cd: line 0: …` from within a builtin. */
  complain(message: string): void {
    const place = this.builtin === undefined ? '' : `${this.builtin}: line ${this.line}: `;
    this.write(2, `${this.name}: ${place}${message}\n`);
  }

  write(fd: number, text: string): void {
    writeTo(this.open, fd, text);
  }

  /** Says to the kernel which signals the traps take. */
  announceTraps(): void {
    if (!this.#handlesSignals) return;
    const names = [...this.traps].flatMap(([name, trap]) => (name === 'EXIT' ? [] : [{ name, ignored: trap === 'ignore' }]));
    this.host.handleSignals(
      new Set(names.filter((item) => !item.ignored).map((item) => item.name)),
      new Set(names.filter((item) => item.ignored).map((item) => item.name)),
    );
  }

  #fork(open: Descriptors): Shell {
    const child = new Shell({ host: this.host, files: this.files.fork(), open, name: this.name, positional: this.positional, environment: new Map(), depth: this.#depth, firstLine: this.#firstLine });
    for (const [name, variable] of this.variables) child.variables.set(name, { ...variable });
    child.functions = this.functions;
    child.options = this.options;
    if (this.traps.size > 0) child.traps = new Map([...this.traps].filter(([, trap]) => trap === 'ignore'));
    child.status = this.status;
    child.locals = this.locals === undefined ? undefined : new Map();
    child.loops = this.loops;
    child.line = this.line;
    child.builtin = this.builtin;
    child.#handlesSignals = false;
    child.#conditions = this.#conditions;
    return child;
  }

  *#list(list: List): Steps<number> {
    for (const andOr of list) {
      const alone = onlyCommand(andOr);
      if (alone) {
        yield* this.#command(alone);
        this.#endOnError();
      } else yield* this.#andOr(andOr);
      yield* this.#takeSignals();
    }
    return this.status;
  }

  /** Traps run between commands, never inside one: `sleep` ends first. @recorded #container-restart */
  *#takeSignals(): Steps<void> {
    if (!this.#handlesSignals) return;
    for (let signal = this.host.takeSignal(); signal !== undefined; signal = this.host.takeSignal()) {
      const trap = this.traps.get(signal);
      if (trap === undefined || trap === 'ignore') continue;
      const status = this.status;
      yield* this.evaluate(trap.script);
      this.status = status;
    }
  }

  *#andOr(andOr: AndOr): Steps<void> {
    if (andOr.background) throw new ShellFatal('"&" (a command in the background): not modelled by this simulation', 127);
    const last = andOr.rest.length - 1;
    yield* this.#pipeline(andOr.first, last >= 0);
    for (const [index, { operator, pipeline }] of andOr.rest.entries()) {
      if ((operator === '&&') !== (this.status === 0)) continue;
      yield* this.#pipeline(pipeline, index < last);
    }
  }

  *#pipeline(pipeline: Pipeline, condition: boolean): Steps<void> {
    const guarded = condition || pipeline.negated;
    if (guarded) this.#conditions += 1;
    try {
      const [only, ...others] = pipeline.commands;
      if (only !== undefined && others.length === 0) yield* this.#command(only);
      else yield* this.#piped(pipeline.commands);
    } finally {
      if (guarded) this.#conditions -= 1;
    }
    if (pipeline.negated) this.status = this.status === 0 ? 1 : 0;
    if (!guarded) this.#endOnError();
  }

  /** `set -e`. */
  #endOnError(): void {
    if (this.status !== 0 && this.#conditions === 0 && this.options.has('e')) throw new ExitShell(this.status);
  }

  *#piped(commands: readonly Command[]): Steps<void> {
    let input: Descriptor | undefined = this.open.get(0);
    for (const [index, command] of commands.entries()) {
      const open = new Map(this.open);
      if (input !== undefined) open.set(0, input);
      const captured = new Capture();
      if (index < commands.length - 1) open.set(1, { output: captured });
      this.status = yield* this.#fork(open).#subshell([{ first: { negated: false, commands: [command] }, rest: [], background: false }]);
      input = { input: new TextInput(captured.text()) };
    }
  }

  /** Runs a list as the whole of this (forked) shell. */
  *#subshell(list: List): Steps<number> {
    try {
      yield* this.#list(list);
    } catch (error) {
      if (error instanceof ExitShell || error instanceof Return) this.status = error.status;
      else if (!(error instanceof Break || error instanceof Continue)) this.#failed(error);
    }
    return yield* this.#leave();
  }

  #command(command: Command): Steps<void> {
    return command.type === 'simple' ? this.#simple(command) : this.#complex(command);
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST_CALLS) throw new ShellFatal(`calls nested deeper than ${DEEPEST_CALLS}: not modelled by this simulation`, 127);
  }

  *#complex(command: Exclude<Command, { type: 'simple' }>): Steps<void> {
    if (this.host.spend()) yield BUSY;
    this.#enter();
    try {
      if (command.type === 'function') this.#define(command);
      else {
        const ran = yield* this.#redirected(command.redirects, () => this.#compound(command));
        // The redirection of a subshell fails inside it, where it is fatal.
        if (!ran && command.type === 'subshell') this.status = 2;
      }
    } finally {
      this.#depth -= 1;
    }
  }

  #define(command: Extract<Command, { type: 'function' }>): void {
    this.functions = new Map(this.functions).set(command.name, command.body);
    this.status = 0;
  }

  *#compound(command: Exclude<Command, { type: 'simple' | 'function' }>): Steps<void> {
    switch (command.type) {
      case 'group':
        yield* this.#list(command.body);
        return;
      case 'subshell':
        this.status = yield* this.#fork(this.open).#subshell(command.body);
        return;
      case 'if':
        return yield* this.#if(command);
      case 'loop':
        return yield* this.#loop(command);
      case 'for':
        return yield* this.#for(command);
      case 'case':
        return yield* this.#case(command);
    }
  }

  *#condition(list: List): Steps<boolean> {
    this.#conditions += 1;
    try {
      yield* this.#list(list);
    } finally {
      this.#conditions -= 1;
    }
    return this.status === 0;
  }

  *#if(command: Extract<Command, { type: 'if' }>): Steps<void> {
    for (const clause of command.clauses) {
      if (!(yield* this.#condition(clause.test))) continue;
      yield* this.#list(clause.body);
      return;
    }
    this.status = 0;
    yield* this.#list(command.otherwise);
  }

  *#loop(command: Extract<Command, { type: 'loop' }>): Steps<void> {
    let status = 0;
    for (;;) {
      let goOn = false;
      const ended = yield* this.#once(function* (shell: Shell): Steps<void> {
        goOn = (yield* shell.#condition(command.test)) !== command.until;
        if (!goOn) return;
        yield* shell.#list(command.body);
        status = shell.status;
      });
      if (ended) {
        this.status = 0;
        return;
      }
      if (!goOn) break;
    }
    this.status = status;
  }

  *#for(command: Extract<Command, { type: 'for' }>): Steps<void> {
    const values = command.words === undefined ? this.positional : yield* expandWords(command.words, this);
    this.status = 0;
    for (const value of values) {
      this.set(command.name, value);
      const ended = yield* this.#once((shell) => shell.#list(command.body));
      if (ended) return;
    }
  }

  /** One pass of a loop's body; true when `break` ended the loop. */
  *#once(pass: (shell: Shell) => Steps<unknown>): Steps<boolean> {
    this.loops += 1;
    try {
      yield* pass(this);
      return false;
    } catch (error) {
      if (!(error instanceof Break || error instanceof Continue)) throw error;
      if (error.levels > 1) throw error instanceof Break ? new Break(error.levels - 1) : new Continue(error.levels - 1);
      this.status = 0;
      return error instanceof Break;
    } finally {
      this.loops -= 1;
    }
  }

  *#case(command: Extract<Command, { type: 'case' }>): Steps<void> {
    const subject = yield* expandText(command.word, this);
    this.status = 0;
    for (const item of command.items) {
      for (const pattern of item.patterns) {
        if (!matchesPattern(yield* expandPattern(pattern, this), subject)) continue;
        yield* this.#list(item.body);
        return;
      }
    }
  }

  /** Runs something with redirections in force; one that fails keeps it from running (false). */
  *#redirected(redirects: readonly Redirect[], body: () => Steps<void>): Steps<boolean> {
    const before = this.open;
    if (!(yield* this.#redirect(redirects))) return false;
    try {
      yield* body();
    } catch (error) {
      this.#report(error);
    } finally {
      this.open = before;
    }
    return true;
  }

  /** Puts redirections in force. On failure says why, sets the status to 1 and leaves everything as it was. */
  *#redirect(redirects: readonly Redirect[]): Steps<boolean> {
    const open = new Map(this.open);
    const before = this.open;
    for (const redirect of redirects) {
      const target = yield* expandText(redirect.target, this);
      const problem = this.#openFor(redirect, target, open);
      if (problem !== undefined) {
        this.open = before;
        this.complain(problem);
        this.status = 1;
        return false;
      }
      // A later redirection of the same command sees the earlier ones.
      this.open = open;
    }
    this.open = open;
    return true;
  }

  #openFor(redirect: Redirect, target: string, open: Map<number, Descriptor>): string | undefined {
    switch (redirect.operator) {
      case 'here':
        open.set(redirect.fd, { input: new TextInput(target) });
        return undefined;
      case '>&':
      case '<&':
        return duplicate(redirect.fd, target, open);
      case '<':
        return this.#openInput(redirect.fd, target, open);
      default:
        return this.#openOutput(redirect, target, open);
    }
  }

  #openInput(fd: number, path: string, open: Map<number, Descriptor>): string | undefined {
    try {
      const read = this.files.openForReading(path);
      open.set(fd, { input: new TextInput(() => read()) });
      return undefined;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      // Linux opens a directory for reading; what reads from it then fails. Here the shell says so at once.
      return `can't open ${path}: ${isMissing(error.errno) ? 'no such file' : error.message}`;
    }
  }

  #openOutput(redirect: Redirect, path: string, open: Map<number, Descriptor>): string | undefined {
    const known = open.get(STANDARD_STREAMS[path] ?? -1);
    if (known !== undefined) {
      open.set(redirect.fd, known);
      return undefined;
    }
    try {
      open.set(redirect.fd, { output: this.files.openForWriting(path, redirect.operator === '>>') });
      return undefined;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return `can't create ${path}: ${isMissing(error.errno) ? 'nonexistent directory' : error.message}`;
    }
  }

  *#simple(command: Extract<Command, { type: 'simple' }>): Steps<void> {
    if (this.host.spend()) yield BUSY;
    this.#enter();
    try {
      this.#substitutionStatus = undefined;
      this.line = this.#firstLine + command.line;
      const fields = plainWords(command.words) ?? (yield* expandWords(command.words, this));
      const [name, ...args] = fields;
      const before = this.open;
      if (command.redirects.length > 0 && !(yield* this.#redirect(command.redirects))) {
        if (name !== undefined && SPECIAL_BUILTINS.has(name)) throw new ExitShell(this.status);
        return;
      }
      try {
        if (name === undefined) yield* this.#assignOnly(command.assignments);
        else if (command.assignments.length > 0) yield* this.#invoke(name, args, command.assignments);
        else this.status = yield* this.#invokeWithin(name, args);
      } catch (error) {
        this.#report(error);
      } finally {
        // `exec` without a command keeps its redirections.
        if (name !== 'exec' || args.length > 0) this.open = before;
      }
    } finally {
      this.#depth -= 1;
    }
  }

  *#assignOnly(assignments: readonly Assignment[]): Steps<void> {
    for (const assignment of assignments) this.set(assignment.name, yield* expandValue(assignment.value, this));
    this.status = this.#substitutionStatus ?? 0;
  }

  *#invoke(name: string, args: readonly string[], assignments: readonly Assignment[]): Steps<void> {
    if (SPECIAL_BUILTINS.has(name)) {
      for (const assignment of assignments) this.set(assignment.name, yield* expandValue(assignment.value, this));
      this.status = yield* this.#invokeWithin(name, args);
      return;
    }
    const saved = new Map<string, Variable | undefined>();
    for (const assignment of assignments) {
      const value = yield* expandValue(assignment.value, this);
      if (!saved.has(assignment.name)) saved.set(assignment.name, this.variables.get(assignment.name));
      this.set(assignment.name, value);
      const variable = this.variables.get(assignment.name);
      if (variable !== undefined) variable.exported = true;
    }
    try {
      this.status = yield* this.#invokeWithin(name, args);
    } finally {
      this.restore(saved);
    }
  }

  /** Gives variables back the values they had. */
  restore(saved: ReadonlyMap<string, Variable | undefined>): void {
    for (const [name, variable] of saved) {
      if (variable === undefined) this.variables.delete(name);
      else this.variables.set(name, variable);
    }
  }

  #invokeWithin(name: string, args: readonly string[]): Steps<number> {
    const body = SPECIAL_BUILTINS.has(name) ? undefined : this.functions.get(name);
    return body === undefined ? this.runBuiltinOrProgram(name, args) : this.#call(body, args);
  }

  /** Runs what a name means when it is no function. */
  runBuiltinOrProgram(name: string, args: readonly string[]): Steps<number> {
    const builtin = builtinNamed(name);
    if (builtin === undefined) return this.execute(name, args);
    // `command` is not there for messages: they name what it runs.
    return name === 'command' ? builtin(this, args, name) : this.#runBuiltin(builtin, name, args);
  }

  *#runBuiltin(builtin: Builtin, name: string, args: readonly string[]): Steps<number> {
    const before = this.builtin;
    const line = this.#firstLine;
    this.builtin = name;
    try {
      return yield* builtin(this, args, name);
    } catch (error) {
      this.#report(error);
    } finally {
      this.builtin = before;
      this.#firstLine = line;
    }
  }

  /** Says at once what ends the shell, while the redirections of the command are still in force. */
  #report(error: unknown): never {
    if (!(error instanceof ShellFatal || error instanceof ShellSyntaxError)) throw error;
    this.#failed(error);
    throw new ExitShell(this.status);
  }

  *#call(body: Command, args: readonly string[]): Steps<number> {
    const { positional, locals } = this;
    const own = new Map<string, Variable | undefined>();
    this.positional = args;
    this.locals = own;
    try {
      yield* this.#command(body);
    } catch (error) {
      if (!(error instanceof Return)) throw error;
      this.status = error.status;
    } finally {
      this.restore(own);
      this.positional = positional;
      this.locals = locals;
    }
    return this.status;
  }

  /** Runs a command that is no builtin, and returns its status. */
  execute(name: string, args: readonly string[]): Steps<number> {
    const found = findProgram(name, this.files, this.get('PATH') ?? DEFAULT_PATH);
    if (found.type === 'missing') {
      this.complain(`${name}: not found`);
      return ended(127);
    }
    if (found.type === 'denied') {
      this.complain(`${name}: ${found.reason}`);
      return ended(126);
    }
    if (found.type === 'script') return this.#runScript(found.content, name, args);
    if (!isModelledApplet(found.applet)) {
      this.complain(`${found.applet}: not modelled by this simulation`);
      return ended(127);
    }
    return runProgram(found.applet, args, {
      host: this.host,
      files: this.files.fork(),
      open: this.open,
      environment: () => this.environment(),
      argv0: name,
      depth: this.#depth,
    });
  }

  *#runScript(content: string, name: string, args: readonly string[]): Steps<number> {
    const interpreter = /^#!\s*(\S+)/.exec(content)?.[1];
    if (interpreter !== undefined && !['/bin/sh', '/bin/ash'].includes(interpreter)) {
      const found = findProgram(interpreter, this.files, '');
      this.complain(found.type === 'missing' ? `${name}: not found` : `${interpreter}: not modelled by this simulation`);
      return 127;
    }
    const child = new Shell({
      host: childHost(this.host),
      files: this.files.fork(),
      open: this.open,
      name,
      positional: args,
      environment: this.environment(),
      depth: this.#depth,
      firstLine: 1,
    });
    child.#handlesSignals = false;
    return yield* child.run(content);
  }

  /** A shell that `sh` started as a child: signals of the container's process are not its own. */
  asChild(): this {
    this.#handlesSignals = false;
    return this;
  }
}

const NO_FUNCTIONS: ReadonlyMap<string, Command> = new Map();
const NO_TRAPS: ReadonlyMap<SignalName | 'EXIT', Trap> = new Map();
const NO_OPTIONS: ReadonlySet<string> = new Set();

const BUSY: Wait = { ms: 1000, busy: true };

/** The command that a list's item consists of, when nothing depends on how it ends. */
function onlyCommand({ first, rest, background }: AndOr): Command | undefined {
  const { negated, commands } = first;
  return background || negated || rest.length > 0 || commands.length > 1 ? undefined : commands[0];
}

/** Many shells have the same few options: one set for all of them. */
function optionSet(letters: readonly string[]): ReadonlySet<string> {
  const key = letters.join('');
  let known = optionSets.get(key);
  if (!known) {
    if (optionSets.size >= MOST_OPTION_SETS) optionSets.clear();
    optionSets.set(key, (known = new Set(letters)));
  }
  return known;
}
const MOST_OPTION_SETS = 256;
const optionSets = new Map<string, ReadonlySet<string>>();

/** The map without one of its keys. */
export function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

/** A command that is over before it began. */
function* ended(status: number): Steps<number> {
  return status;
}

const STANDARD_STREAMS: Readonly<Record<string, number>> = {
  '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2,
  '/proc/self/fd/0': 0, '/proc/self/fd/1': 1, '/proc/self/fd/2': 2,
};

function isMissing(errno: Errno): boolean {
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}

function duplicate(fd: number, target: string, open: Map<number, Descriptor>): string | undefined {
  if (target === '-') {
    open.delete(fd);
    return undefined;
  }
  if (!/^\d+$/.test(target)) return 'syntax error: bad fd number';
  const known = open.get(Number(target));
  if (known === undefined) return `${target}: Bad file descriptor`;
  open.set(fd, known);
  return undefined;
}

type Program =
  | { readonly type: 'applet'; readonly applet: string }
  | { readonly type: 'script'; readonly content: string }
  | { readonly type: 'denied'; readonly reason: string }
  | { readonly type: 'missing' };

/** Follows a command's name: along PATH, or to the file itself when it holds a slash. */
export function findProgram(name: string, files: MountedFiles, path: string): Program {
  if (isApplet(name) && BIN_IN_PATH.test(path) && files.programsUntouched) return { type: 'applet', applet: name };
  if (name.includes('/')) return programAt(name, name, files);
  if (name === '') return { type: 'missing' };
  let denied: Program | undefined;
  for (const directory of path.split(':')) {
    const found = programAt(`${directory === '' ? '.' : directory}/${name}`, name, files);
    if (found.type === 'denied') denied ??= found;
    else if (found.type !== 'missing') return found;
  }
  return denied ?? { type: 'missing' };
}

const BIN_IN_PATH = /(?:^|:)\/bin(?:$|:)/;

function programAt(path: string, name: string, files: MountedFiles): Program {
  const found = files.lookForProgram(path);
  if (typeof found === 'string') return isMissing(found) ? { type: 'missing' } : { type: 'denied', reason: errorText(found) };
  if (found.node.type === 'directory' || !files.mayRun(found)) return { type: 'denied', reason: 'Permission denied' };
  if (found.path === BUSYBOX) return { type: 'applet', applet: name.slice(name.lastIndexOf('/') + 1) };
  try {
    return { type: 'script', content: files.read(path) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { type: 'denied', reason: error.message };
  }
}

/** Where a shell looks for programs when PATH is not set. */
export const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The program that every applet's link in the image leads to. */
export const BUSYBOX = '/bin/busybox';

/** A process of its own for a child shell: another number, the same container. */
function childHost(host: ProcessHost): ProcessHost {
  const pid = host.nextPid();
  return {
    pid,
    hostname: host.hostname,
    kill: (target, signal) => host.kill(target === pid ? host.pid : target, signal),
    takeSignal: () => undefined,
    handleSignals: () => undefined,
    spend: () => host.spend(),
    nextPid: () => host.nextPid(),
  };
}

interface ProgramStart {
  readonly host: ProcessHost;
  readonly files: MountedFiles;
  readonly open: Descriptors;
  readonly environment: () => ReadonlyMap<string, string>;
  /** The name the program was called by. */
  readonly argv0: string;
  readonly depth: number;
}

/** Runs an applet of busybox, `sh` among them. */
export function runProgram(applet: string, args: readonly string[], start: ProgramStart): Steps<number> {
  if (applet === 'sh' || applet === 'ash') return runShell(args, { ...start, host: childHost(start.host) }, true);
  if (applet === 'busybox') return runBusybox(args, start);
  const { host, files, open, environment } = start;
  return runApplet({ name: applet, args, host, files, open, environment });
}

function runBusybox(args: readonly string[], start: ProgramStart): Steps<number> {
  const [applet, ...rest] = args;
  if (applet !== undefined && isModelledApplet(applet)) return runProgram(applet, rest, { ...start, argv0: applet });
  const reason = applet !== undefined && !isApplet(applet) ? 'applet not found' : 'not modelled by this simulation';
  writeTo(start.open, 2, applet === undefined ? `busybox: ${reason}\n` : `${applet}: ${reason}\n`);
  return ended(127);
}

/** `sh [-e…] [-c SCRIPT [NAME ARG…] | FILE ARG…]`; without either the script is what stands on its input. */
export function runShell(args: readonly string[], start: ProgramStart, child = false): Steps<number> {
  const options: string[] = [];
  let rest = args;
  for (let word = rest[0]; word !== undefined && /^[-+]./.test(word); word = rest[0]) {
    rest = rest.slice(word === '-o' || word === '+o' ? 2 : 1);
    if (word === '--') break;
    for (const letter of word.slice(1)) if (!options.includes(letter)) options.push(letter);
  }
  let name = start.argv0;
  let firstLine = 0;
  let script: string;
  if (options.includes('c')) {
    const [text, given, ...positional] = rest;
    if (text === undefined) {
      writeTo(start.open, 2, `${name}: -c requires an argument\n`);
      return ended(2);
    }
    script = text;
    name = given ?? name;
    rest = positional;
  } else if (rest[0] === undefined || options.includes('s')) {
    const descriptor = start.open.get(0);
    script = descriptor !== undefined && 'input' in descriptor ? descriptor.input.readAll() : '';
  } else {
    const [file = '', ...positional] = rest;
    const content = readScript(file, start);
    if (content === undefined) return ended(2);
    script = content;
    name = file;
    firstLine = 1;
    rest = positional;
  }
  const { host, files, open, depth } = start;
  const shell = new Shell({ host, files, open, name, positional: rest, environment: start.environment(), depth, firstLine });
  const own = options.filter((letter) => 'acefu'.includes(letter));
  if (own.length > 0) shell.options = optionSet(own);
  return (child ? shell.asChild() : shell).run(script);
}

function readScript(file: string, start: ProgramStart): string | undefined {
  try {
    return start.files.read(file);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    writeTo(start.open, 2, `${start.argv0}: can't open '${file}': ${error.message}\n`);
    return undefined;
  }
}

/** The parts of a shell script, as the parser reads them. */

export type WordPart =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly type: 'parameter';
      readonly name: string;
      /** `:-`, `-`, `:=`, `=`, `:?`, `?`, `:+`, `+`, `#`, `##`, `%`, `%%`, or `length`; undefined for a plain `$name`. */
      readonly operator?: string | undefined;
      readonly operand?: Word | undefined;
      readonly quoted: boolean;
    }
  | { readonly type: 'command'; readonly body: List; readonly quoted: boolean }
  | { readonly type: 'arithmetic'; readonly expression: Word; readonly quoted: boolean };
export type Word = readonly WordPart[];

export interface Redirect {
  readonly fd: number;
  readonly operator: '>' | '>>' | '<' | '>&' | '<&' | 'here';
  /** The file, the descriptor, or the text of a here-document. */
  readonly target: Word;
}

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export type Command =
  | { readonly type: 'simple'; /** Line feeds before it in the script. */ readonly line: number; readonly assignments: readonly Assignment[]; readonly words: readonly Word[]; readonly redirects: readonly Redirect[] }
  | { readonly type: 'group' | 'subshell'; readonly body: List; readonly redirects: readonly Redirect[] }
  | { readonly type: 'if'; readonly clauses: readonly { readonly test: List; readonly body: List }[]; readonly otherwise: List; readonly redirects: readonly Redirect[] }
  | { readonly type: 'loop'; readonly until: boolean; readonly test: List; readonly body: List; readonly redirects: readonly Redirect[] }
  | { readonly type: 'for'; readonly name: string; readonly words: readonly Word[] | undefined; readonly body: List; readonly redirects: readonly Redirect[] }
  | { readonly type: 'case'; readonly word: Word; readonly items: readonly { readonly patterns: readonly Word[]; readonly body: List }[]; readonly redirects: readonly Redirect[] }
  | { readonly type: 'function'; readonly name: string; readonly body: Command };

export interface Pipeline {
  readonly negated: boolean;
  readonly commands: readonly Command[];
}

/** Pipelines joined by `&&` and `||`; `background` when `&` ends them. */
export interface AndOr {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly pipeline: Pipeline }[];
  readonly background: boolean;
}

export type List = readonly AndOr[];

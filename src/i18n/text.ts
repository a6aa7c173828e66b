/** Filling in the messages of the lab. */
import type { MessageKey, Messages } from './en.ts';

export type Params = Readonly<Record<string, string | number>>;

/** A message with its `{names}` filled in. A name without a value stays as it is, so that it is seen. */
export function fill(messages: Messages, key: MessageKey, params: Params = {}): string {
  return messages[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

/** Cuts text at backticks: every second piece is to be set as code. */
export function pieces(text: string): string[] {
  return text.split('`');
}

/** What every run needs of kubectl: all but the seldom commands, which a browser loads only where they are typed. */
export type { ClusterView, ExecOutcome, ExecRequest, LogsRequest, NodeDescriber, ViewOptions } from './view.ts';
export { viewOfObjects } from './view.ts';
export type { Change, ChangeCommand } from './change-command.ts';
export type { DescribeCommand, ExecCommand, GetCommand, KubectlCommand, LogsCommand, RefusedCommand, RolloutStatusCommand, SeldomCommand, SeldomParser, Target } from './command.ts';
export { isSeldom, parseCommand, splitCommandLine } from './command.ts';
export type { KubectlOutcome } from './outcome.ts';
export type { RolloutProgress } from './rollout.ts';
export { ROLLOUT_OBJECT_DELETED, ROLLOUT_TIMED_OUT, rolloutStatusLine, rolloutTarget } from './rollout.ts';
export { chosenObjects } from './choose.ts';
export { goDuration } from './command-words.ts';
export { fieldMatcher } from './selector.ts';
export { notFound } from './outcome.ts';
export { qualifiedPlural, qualifiedSingular, resourceOfKind } from './resources.ts';
export { execInPod } from './exec.ts';
export { describeObject } from './describe.ts';
export { lastAppliedConfiguration } from './last-applied.ts';
export { ageSince, humanDuration } from './age.ts';
export { runParsed } from './run-parsed.ts';

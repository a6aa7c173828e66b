/** What is refused of a container's hooks and probes (pkg/apis/core/validation/validation.go, v1.35). */
import { PROBES, type Container, type LifecycleHandler, type Probe, type ProbeField } from '../model/objects.ts';
import type { FieldErrors } from './field-errors.ts';

const HOOKS = ['postStart', 'preStop'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;
const NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;

type Handler = LifecycleHandler & Pick<Probe, 'grpc'>;

/** @modelled pkg/apis/core/validation/validation.go (validateLifecycle, validateLivenessProbe, validateReadinessProbe, validateStartupProbe), v1.35 */
export function checkHandlers(errors: FieldErrors, container: Container, graceSeconds: number | undefined, at: string): void {
  for (const hook of HOOKS) {
    const handler = container.lifecycle?.[hook];
    if (handler) checkHandler(errors, handler, graceSeconds, `${at}.lifecycle.${hook}`);
  }
  for (const field of PROBES) {
    const probe = container[field];
    if (probe) checkProbe(errors, probe, field, `${at}.${field}`);
  }
}

/** Only a container that goes on running can have them. @modelled pkg/apis/core/validation/validation.go (validateInitContainers), v1.35 */
export function forbidHandlers(errors: FieldErrors, container: Container, at: string): void {
  for (const field of ['lifecycle', ...PROBES] as const) {
    if (container[field] !== undefined) errors.forbidden(`${at}.${field}`, 'may not be set for init containers without restartPolicy=Always');
  }
}

function checkHandler(errors: FieldErrors, handler: Handler, graceSeconds: number | undefined, at: string): void {
  const given = HANDLERS.filter((type) => handler[type] !== undefined);
  for (const type of given.slice(1)) errors.forbidden(`${at}.${type}`, 'may not specify more than 1 handler type');
  const [type] = given;
  if (type === undefined) errors.required(at, 'must specify a handler type');
  if (type === 'exec' && (handler.exec?.command ?? []).length === 0) errors.required(`${at}.exec.command`);
  const seconds = type === 'sleep' ? (handler.sleep?.seconds ?? 0) : undefined;
  if (seconds === undefined || graceSeconds === undefined) return;
  if (seconds < 0 || seconds > graceSeconds) errors.invalid(`${at}.sleep`, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`);
}

function checkProbe(errors: FieldErrors, probe: Probe, field: ProbeField, at: string): void {
  checkHandler(errors, probe, undefined, at);
  for (const number of NUMBERS) {
    const value = probe[number];
    if (value !== undefined && value < 0) errors.invalid(`${at}.${number}`, value, 'must be greater than or equal to 0');
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) errors.invalid(`${at}.terminationGracePeriodSeconds`, grace, 'must be greater than 0');
  if (field === 'readinessProbe') {
    if (grace !== undefined) errors.invalid(`${at}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes');
  } else if (probe.successThreshold !== undefined && probe.successThreshold !== 1) errors.invalid(`${at}.successThreshold`, probe.successThreshold, 'must be 1');
}

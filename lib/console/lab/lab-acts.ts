/** What people do to runs: permitted, and the beginning and the end of a run in the audit log. */
import type { LabAct, LabRun, LabRunList, NewLabRun } from '../../contract/lab/run.ts'
import { releasesDisabledText } from '../../contract/releases/release-modes.ts'
import { routes } from '../../contract/routes.ts'
import { auditEvent, followed, written } from '../audit/audited.ts'
import type { Authority } from '../audit/authority.ts'
import { HttpProblem } from '../http/http-problem.ts'
import type { LabServices } from './lab-services.ts'
import { scenarios } from './scenarios/scenarios.ts'

/** `mayNotStart`: for this person. @throws StoreUnavailableError */
export async function listRuns({ lab }: LabServices, by: Authority): Promise<LabRunList> {
  const { runs, mayNotStart } = await lab.list(by.actor.username)
  return { runs, mayNotStart: roleRefusal(by) ?? mayNotStart }
}

function roleRefusal(by: Authority): string | null {
  try {
    by.permit(routes.startLabRun.permission)
    return null
  } catch (thrown) {
    if (thrown instanceof HttpProblem) return thrown.message
    throw thrown
  }
}

/** @throws HttpProblem forbidden: LEASEHOLD_ADMIN_ACTIONS is `disabled` */
function checkReleasesEnabled({ adminActions }: LabServices['config']): void {
  if (!adminActions) throw new HttpProblem('forbidden', releasesDisabledText)
}

/** Only while the audit log can be written. @throws HttpProblem forbidden, audit-unavailable, lab-disabled, lab-full; StoreUnavailableError */
export async function startRun(services: LabServices, by: Authority, asked: NewLabRun): Promise<LabRun> {
  by.permit(routes.startLabRun.permission)
  if (asked.scenario !== undefined && scenarios[asked.scenario].forcesReleases === true)
    checkReleasesEnabled(services.config)
  await followed(services.audit)
  return services.lab.start(asked, by.actor.username, { announce: started(services, by) })
}

/** The run that `npm run demo` opens with: a leader, about to die once there is a viewer. @throws HttpProblem audit-unavailable, lab-full; StoreUnavailableError */
export async function startDemo(services: LabServices, by: Authority): Promise<LabRun> {
  const how = { waitsForViewer: true, announce: started(services, by) }
  return services.lab.start({ scenario: 'crash' }, by.actor.username, how)
}

/**
 * The journal of the run says who asked, broke and killed in it: on leases of the lab alone, so that the audit log does not.
 * @throws HttpProblem forbidden, not-found, lab-refused, lab-elsewhere; StoreUnavailableError
 */
export async function actIn(
  { lab, config }: LabServices,
  by: Authority,
  run: string,
  act: LabAct,
): Promise<void> {
  by.permit(routes.actInLab.permission)
  if (act.act === 'release') checkReleasesEnabled(config)
  await lab.act(run, act, by.actor.username)
}

/** Only while the audit log can be written. @throws HttpProblem forbidden, not-found, audit-unavailable, lab-elsewhere; StoreUnavailableError */
export async function endRun(services: LabServices, by: Authority, run: string): Promise<void> {
  by.permit(routes.endLabRun.permission)
  await services.lab.endRun(run, by.actor.username, () => entry(services, by, { did: 'ended', run }))
}

const started = (services: LabServices, by: Authority) => (facts: Pick<LabRun, 'run' | 'scenario'>) =>
  entry(services, by, { did: 'started', run: facts.run, scenario: facts.scenario })

/**
 * One entry, before the act, and none of the outcome: the act ends no other owner’s lease, and changes no rights, and nothing but the end
 * of the process keeps it from being done then. @throws HttpProblem audit-unavailable
 */
const entry = ({ audit }: LabServices, { actor }: Authority, after: object): Promise<unknown> =>
  written(audit, auditEvent('lab-run', actor, { kind: 'console' }, 'ok', after))

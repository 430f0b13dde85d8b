import {
  InvalidArgumentError,
  type LeaseProtocol,
  type Leases,
  quarantineMark,
  StoreRefusedError,
} from '../lease/index.ts'
import { checkName, checkNameToRead, checkOwner, checkOwnerSeen, checkValue } from '../lease/limits.ts'
import { type BreakOutcome, type BreakStep, breakLease } from './break.ts'
import { type BreakAct, type ForcedAct, findBreak, findKill, type KillAct } from './find-out.ts'
import { type KillOutcome, type KillStep, kill } from './kill.ts'

/** The holder that an operator saw. Every act is bound to it. */
export interface PlannedHolder {
  readonly name: string
  readonly owner: string
}

export interface AskOptions {
  /** The caller makes it, and uses it for one request. Sent again with the same id, it is still one request, of the later time. */
  readonly id: string
  readonly requestedBy: string
  readonly reason: string
}

/**
 * What an operator can do about a holder: ask it to resign, break its lease, kill its lease, and find out the outcome
 * of an act whose process died.
 *
 * Every act is bound to the holder that the operator saw. If another owner holds the lease by then, nothing happens.
 *
 * @example
 * const operator = new Operator(leases)
 * const seen = await leases.read('billing/stuck')
 * if (seen?.owner != null) {
 *   const outcome = await operator.break({ name: seen.name, owner: seen.owner }, { id: crypto.randomUUID(), value: 'INC-2214' })
 *   if (outcome.kind === 'broken') console.log(`free at ${new Date(outcome.safeAtMs).toISOString()}`)
 * }
 */
export class Operator {
  readonly #protocol: LeaseProtocol

  constructor(leases: LeaseProtocol | Leases) {
    this.#protocol = 'protocol' in leases ? leases.protocol : leases
  }

  /**
   * Asks the holder to resign. The holder reads the request beside its next renewal, and decides.
   * @throws StoreUnavailableError: the request may have been written, ask again with the same id; StoreRefusedError;
   * InvalidArgumentError for a protocol without `resignRequests`
   */
  async ask(planned: PlannedHolder, { id, requestedBy, reason }: AskOptions): Promise<void> {
    const { resignRequests, clock } = this.#protocol.context
    if (resignRequests === undefined)
      throw new InvalidArgumentError(
        'No table of resign requests is configured: pass resignRequests to LeaseProtocol or Leases.',
      )
    const { name, owner } = planned
    checkName(name)
    checkOwner(owner)
    await resignRequests.ask({ id, name, owner, requestedBy, reason, requestedAtMs: clock.now().wallMs })
  }

  /**
   * Forced release: deletes the lease if, and only if, `planned.owner` still holds it. The old holder and the next one
   * may overlap.
   * @throws StoreUnavailableError when the re-read failed: nothing was sent. InvalidArgumentError for a name that no row can
   * have, and an owner that is no text (a table without an owner column shows null). StoreRefusedError over HTTP: a server sends a delete again after a lost answer, and kills by a release plan alone
   */
  async kill(planned: PlannedHolder, onStep?: (step: KillStep) => void): Promise<KillOutcome> {
    checkNameToRead(planned.name)
    checkOwnerSeen(planned.owner)
    if (this.#protocol.context.store.repeats)
      throw new StoreRefusedError(
        `${JSON.stringify(planned.name)} cannot be killed through a server without a release plan: make one in the console, or POST /v1/leases/{name}/release-plan.`,
      )
    return kill(this.#protocol.context, { name: planned.name, owner: planned.owner }, onStep)
  }

  /**
   * Forced release without an overlap: puts a mark in the place of `planned.owner`, if that owner still holds the
   * lease, until its deadline is certainly past. The lease can be acquired when the mark has expired.
   * @param quarantine `id`: used for this break alone, usually the release plan's id. `value`: a text that readers of
   * the lease see during the quarantine; a table without a value column has no room for it, and the lease is broken without it
   * @throws StoreUnavailableError when the re-read failed: nothing was sent. InvalidArgumentError for a lease that
   * cannot be broken (docs/guarantees.md lists them). StoreRefusedError over HTTP: a server breaks by a release plan alone
   */
  async break(
    planned: PlannedHolder,
    quarantine: { id: string; value?: string | null | undefined },
    onStep?: (step: BreakStep) => void,
  ): Promise<BreakOutcome> {
    const { id, value = null } = quarantine
    const { name, owner } = planned
    checkNameToRead(name)
    checkOwner(owner)
    checkValue(value)
    return breakLease(this.#protocol.context, { name, owner, mark: quarantineMark(id), value }, onStep)
  }

  /**
   * The outcome of a kill or a break whose answer was lost, or whose process died before it came. One SERIAL read; nothing is
   * written. The process that sent it gives `sent`, another one `sentAtMs`. `find-out.ts` lists what the read can show.
   * @throws StoreUnavailableError, StoreRefusedError: the read failed, call again; InvalidArgumentError
   */
  async findOut(act: KillAct): Promise<KillOutcome>
  async findOut(act: BreakAct): Promise<BreakOutcome>
  async findOut(act: ForcedAct): Promise<KillOutcome | BreakOutcome> {
    checkNameToRead(act.name)
    return act.mode === 'kill'
      ? findKill(this.#protocol.context, act)
      : findBreak(this.#protocol.context, act)
  }
}

import { InvalidArgumentError, type LeaseProtocol, type Leases } from '../lease/index.ts'
import { checkName, checkOwner, checkValue, quarantineMark } from '../lease/limits.ts'
import { type BreakOutcome, type BreakStep, breakLease } from './break.ts'
import { type BreakAct, type ForcedAct, findBreak, findKill, type KillAct } from './find-out.ts'
import { type KillOutcome, type KillStep, kill } from './kill.ts'

/** The holder that an operator saw. Every act is bound to it. */
export interface PlannedHolder {
  readonly name: string
  readonly owner: string
}

export interface AskOptions {
  /** Made by the caller, used once: a request that is sent again with the same id is the same request. */
  readonly id: string
  readonly requestedBy: string
  readonly reason: string
}

/**
 * What an operator can do about a holder: ask it to resign, break its lease, kill it, and find out what became of an
 * act whose process died.
 *
 * Every act is bound to the holder that the operator saw. If another holder has the lease by then, nothing is done.
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
   * Asks the holder to resign. The holder reads the request beside its next renewal; nothing is forced.
   * @throws StoreUnavailableError: the request may have been written, ask again with the same id; StoreRefusedError;
   * InvalidArgumentError when the protocol was made without `resignRequests`
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
   * Forced release: deletes the lease if, and only if, `planned.owner` still holds it.
   * @throws StoreUnavailableError when the holder cannot be re-read: then nothing was sent
   */
  async kill(planned: PlannedHolder, onStep?: (step: KillStep) => void): Promise<KillOutcome> {
    return kill(this.#protocol.context, { name: planned.name, owner: planned.owner }, onStep)
  }

  /**
   * Forced release with nothing that overlaps: puts a mark in the place of `planned.owner`, if it still holds the lease,
   * for as long as that holder may still believe. The lease can be acquired when the mark has expired.
   * @param quarantine `id`: used for this break alone, the plan's id mostly. `value`: for others to read meanwhile
   * @throws StoreUnavailableError when the holder cannot be re-read: then nothing was sent. InvalidArgumentError for a
   * lease without an expiry, and for a table without an owner column. StoreRefusedError over HTTP: there it takes a plan
   */
  async break(
    planned: PlannedHolder,
    quarantine: { id: string; value?: string | null | undefined },
    onStep?: (step: BreakStep) => void,
  ): Promise<BreakOutcome> {
    const { id, value = null } = quarantine
    const { name, owner } = planned
    checkName(name)
    checkOwner(owner)
    checkValue(value)
    return breakLease(this.#protocol.context, { name, owner, mark: quarantineMark(id), value }, onStep)
  }

  /**
   * What became of a kill or a break whose process died before it heard: one SERIAL read, nothing is sent. See
   * `find-out.ts` for what can be known.
   * @throws StoreUnavailableError, StoreRefusedError: nothing is known yet, ask again; InvalidArgumentError
   */
  async findOut(act: KillAct): Promise<KillOutcome>
  async findOut(act: BreakAct): Promise<BreakOutcome>
  async findOut(act: ForcedAct): Promise<KillOutcome | BreakOutcome> {
    checkName(act.name)
    return act.mode === 'kill'
      ? findKill(this.#protocol.context, act)
      : findBreak(this.#protocol.context, act)
  }
}

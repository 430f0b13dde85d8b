/**
 * `leasehold elect GROUP` without a command: leads again and again, and prints the events, until a signal interrupts
 * it. The loop is the library's (`election/lead.ts`).
 */
import type { Election, Leadership } from '../../election/index.ts'
import { isLeaseholdError, type Leases, type LeaseView, type ResignRequest } from '../../lease/index.ts'
import { onAbort, systemTimer } from '../../time/index.ts'
import { orBroken } from '../holding/broken-text.ts'
import { closeLeases, type HoldingOptions, holdOptions, sayUnanswered } from '../holding/leases.ts'
import { lossText, operatorOf } from '../holding/loss-text.ts'
import { exitCode } from '../process/exit-codes.ts'
import { type Io, say } from '../process/io.ts'
import { type PrintEvent, printObservations, textOf } from './election-events.ts'

/** How long an interrupted leader waits for the answer to its resignation. */
const resignWithinMs = 2_000

interface LeadParts {
  readonly leases: Leases
  readonly election: Election
  readonly print: PrintEvent
  /** Aborts when a signal interrupts the process. */
  readonly signal: AbortSignal
  readonly options: HoldingOptions
}

export async function lead(io: Io, { leases, election, print, signal, options }: LeadParts): Promise<number> {
  const observing = new AbortController()
  printObservations(election, print, observing.signal).catch((thrown: Error) =>
    say(io, `${thrown.message} leasehold prints no more leaders and vacancies.`),
  )
  let leads = false
  const read = () => leases.read(election.group)
  const work = async (leadership: Leadership) => {
    leads = true
    await printLeadership(leadership, print, read)
    leads = false
  }
  const onRetry = (error: unknown) => {
    leads = false
    // The work has printed the loss already.
    if (isLeaseholdError(error, 'lease-lost')) return
    say(io, `${(error as Error).message}${signal.aborted ? '' : ' This candidate campaigns again.'}`)
  }
  try {
    const leading = election.lead(work, { ...holdOptions(options), signal, onRetry })
    await Promise.race([leading, afterAbort(signal, () => (leads ? resignWithinMs : 0))])
    if (leads) sayUnanswered(io, election.group, options.ttl)
  } catch (thrown) {
    throw await orBroken(thrown, read)
  } finally {
    observing.abort()
    await closeLeases(io, leases)
  }
  return exitCode.done
}

/** Prints one leadership, from the election to its end. */
async function printLeadership(
  leadership: Leadership,
  print: PrintEvent,
  read: () => Promise<LeaseView | null>,
): Promise<void> {
  const { owner, term, token } = leadership
  print('elected', { owner, term: textOf(term), token: textOf(token) })
  const { signal } = leadership
  await new Promise<void>((resolve) => onAbort(signal, resolve))
  const { reason } = signal
  if (!leadership.held)
    return print('lost', { owner, why: `${lossText(reason, await operatorOf(reason, read))}.` })
  if (isLeaseholdError(reason, 'lease-lost') && reason.reason === 'resign-requested') {
    const { requestedBy, reason: why } = reason.cause as ResignRequest
    print('asked', { owner, by: requestedBy, why })
  }
  await leadership.resign()
  print('resigned', { owner })
}

/** Waits until the signal has aborted, and for a while after it. */
async function afterAbort(signal: AbortSignal, whileMs: () => number): Promise<void> {
  await new Promise<void>((resolve) => onAbort(signal, resolve))
  await systemTimer.sleep(whileMs())
}

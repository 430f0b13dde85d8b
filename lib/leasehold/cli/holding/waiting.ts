/**
 * While a caller waits for a lease, says on stderr whom it waits for: on a terminal a line that follows the holder, and that
 * goes when the wait is over; else one line, for the log. A wait that ends at once says nothing.
 */
import { isQuarantine, type LeaseProtocol, type LeaseView, remainingMs } from '../../lease/index.ts'
import { isMadeHere } from '../../lease/owner-id.ts'
import { systemClock } from '../../time/index.ts'
import { durationText, startOf, waitText } from '../commands/format.ts'
import { type Io, say } from '../process/io.ts'
import { printable } from '../process/printable.ts'
import { breakNoteOf, orBroken } from './broken-text.ts'

const tickMs = 1_000
/** A shorter wait shows no line on a terminal, in milliseconds; none in a log for the time of a tick. */
const firstAfterMs = 300
/** How often the line of a terminal reads the holder again: one SERIAL read each time. */
const readEveryTicks = 5
/** A holder that goes leaves no row for a moment; a wait without one for longer has another cause. */
const saysVacantAfterReads = 3
/** A lease that this process acquired is soon confirmed: its token is read, and its term begins. */
const saysOwnAfterReads = 3

type Reads = Pick<LeaseProtocol, 'read'>

export interface Wait {
  readonly name: string
  /** Left out: for ever. */
  readonly waitMs?: number | undefined
  /** What is waited for: the lease, or the leadership of the group. */
  readonly as: 'holder' | 'leader'
}

/**
 * Acquires, and says meanwhile whom it waits for. Of a lease that an operator broke, the error says so.
 * @returns what was acquired; `announces`: whether to say so: on a terminal, and after a line that says that it waits
 */
export async function sayingWait<T>(
  io: Io,
  leases: Reads,
  wait: Wait,
  acquire: () => Promise<T>,
): Promise<{ acquired: T; announces: boolean }> {
  try {
    return await saying(io, leases, wait, acquire)
  } catch (thrown) {
    throw await orBroken(thrown, () => leases.read(wait.name))
  }
}

async function saying<T>(io: Io, leases: Reads, wait: Wait, acquire: () => Promise<T>) {
  if (wait.waitMs === 0) return { acquired: await acquire(), announces: io.stderr.isTTY }
  const line = new WaitLine(io, leases, wait)
  try {
    const acquired = await acquire()
    return { acquired, announces: io.stderr.isTTY || line.isSaid }
  } finally {
    line.end()
  }
}

const isOwn = (view: LeaseView | null): boolean => view?.owner != null && isMadeHere(view.owner)

class WaitLine {
  isSaid = false
  readonly #io: Io
  readonly #leases: Reads
  readonly #wait: Wait
  readonly #first: NodeJS.Timeout | undefined
  readonly #timer: NodeJS.Timeout
  #ended = false
  #ticks = 0
  #reads = 0
  /** How many of the last reads, without another one between, showed a row of this process. */
  #ownReads = 0
  #seen: LeaseView | null = null
  #reading = false
  /** Why the last read failed. */
  #trouble: string | undefined

  constructor(io: Io, leases: Reads, wait: Wait) {
    this.#io = io
    this.#leases = leases
    this.#wait = wait
    if (io.stderr.isTTY) this.#first = setTimeout(() => void this.#tick(), firstAfterMs)
    this.#timer = setInterval(() => void this.#tick(), tickMs)
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#first)
    clearInterval(this.#timer)
    if (this.isSaid && this.#io.stderr.isTTY) this.#io.stderr.write('\r\x1b[K')
  }

  async #tick(): Promise<void> {
    const { isTTY } = this.#io.stderr
    if (isTTY ? this.#ticks++ % readEveryTicks === 0 || !this.isSaid : !this.isSaid) await this.#read()
    if (this.#ended) return
    const line = this.#text()
    if (line === undefined) return
    if (isTTY) this.#draw(line)
    else if (!this.isSaid) say(this.#io, `${line}.`)
    this.isSaid = true
  }

  async #read(): Promise<void> {
    if (this.#reading) return
    this.#reading = true
    try {
      this.#seen = await this.#leases.read(this.#wait.name)
      this.#trouble = undefined
      this.#reads++
      this.#ownReads = isOwn(this.#seen) ? this.#ownReads + 1 : 0
    } catch (thrown) {
      this.#trouble = (thrown as Error).message.replace(/\.$/, '')
    } finally {
      this.#reading = false
    }
  }

  /** undefined: nothing is known yet. */
  #text(): string | undefined {
    const { name, waitMs = Number.POSITIVE_INFINITY, as } = this.#wait
    const waits = `waiting${Number.isFinite(waitMs) ? ` up to ${waitText(waitMs)}` : ''}`
    const goal = `${as === 'leader' ? 'to lead' : 'for'} ${JSON.stringify(name)}`
    const view = this.#seen
    if (isOwn(view)) {
      // A line that names the holder before must not stay.
      if (this.#ownReads < saysOwnAfterReads && !this.isSaid) return undefined
      return `${waits} ${goal}: this process has acquired the lease, which is not confirmed yet`
    }
    if (view?.owner != null) return `${waits} ${goal}${this.#holderText(view, view.owner)}`
    if (this.#trouble !== undefined) return `${waits} ${goal}: ${this.#trouble}`
    // Others wait too, or this process stands back for them.
    if (this.#reads >= saysVacantAfterReads) return `${waits} ${goal}, which has no ${as} at this moment`
    return undefined
  }

  #holderText(view: LeaseView, owner: string): string {
    const left = remainingMs(view, systemClock.now())
    const leftText = durationText(Math.max(0, left ?? 0))
    const { isTTY } = this.#io.stderr
    if (isQuarantine(owner))
      return `, which ${printable(breakNoteOf(view.value).by ?? 'an operator')} broke${isTTY ? `; free in ${leftText}` : `; it is free again in ${leftText}`}`
    const who =
      this.#wait.as === 'leader' ? `; the leader is ${printable(owner)}` : `, held by ${printable(owner)}`
    if (!isTTY) return who
    return `${who}; ${left === null ? 'it has no expiry' : `${leftText} left unless renewed`}`
  }

  #draw(line: string): void {
    const { stderr } = this.#io
    const text = startOf(`leasehold: ${line}`, Math.max(20, stderr.columns - 1))
    stderr.write(`\r\x1b[K${text}`)
  }
}

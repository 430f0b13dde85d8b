/** `leasehold get`, `leasehold release`, `leasehold next`: one name, one answer. */
import {
  isQuarantine,
  LeaseProtocol,
  type LeaseView,
  OutcomeUnknownError,
  remainingMs,
} from '../../lease/index.ts'
import { killEffect } from '../../operator/index.ts'
import { systemClock } from '../../time/index.ts'
import { type ConnectionOptions, connectionOf } from '../connection/connection.ts'
import { rowOf, withOpened } from '../connection/open.ts'
import { brokenFacts, brokenText, markedRow } from '../holding/broken-text.ts'
import { CliError } from '../process/cli-error.ts'
import { exitCode } from '../process/exit-codes.ts'
import { type Io, say, styled } from '../process/io.ts'
import { printable } from '../process/printable.ts'
import { durationText, rowJson } from './format.ts'

type JsonOption = ConnectionOptions & { readonly json?: boolean }

/** @returns 0: the lease is held, or an operator broke it and no process can acquire it yet; 1: it has no holder */
export async function get(io: Io, name: string, options: JsonOption): Promise<number> {
  const connection = connectionOf(options, io.env)
  return withOpened(connection, async ({ store }) => {
    const view = await new LeaseProtocol({ store }).read(name)
    if (options.json) io.stdout.write(`${JSON.stringify(view === null ? null : rowJson(rowOf(view)))}\n`)
    else if (view === null) say(io, `${JSON.stringify(name)} has no holder.`)
    else if (view.owner === null)
      say(io, `${zombieText(view)}${connection.kind === 'server' ? ofServer : ''}`)
    else {
      const { owner } = view
      const facts = isQuarantine(owner) ? brokenFacts(view) : holderFacts(view, owner)
      const all = { name: printable(view.name), ...facts, version: String(view.version) }
      for (const [fact, text] of Object.entries(all))
        if (text !== '') io.stdout.write(`${styled(io, io.stdout, 'dim', fact.padEnd(8))} ${text}\n`)
    }
    return view?.owner == null ? exitCode.notHeld : exitCode.done
  })
}

/** What a server answers of one lease does not say whether its table has the column. */
const ofServer =
  ' Unless its table has no owner column: there the row is the lock, as `leasehold ls` and the page of the lease show.'

/** Of a row that stands without an owner: who can acquire it, and who cannot until when. */
function zombieText({ name, value, valueExpiresAtMs: expiresAtMs, read }: LeaseView): string {
  const left = remainingMs({ expiresAtMs, read }, systemClock.now())
  let until = 'for ever: its value has no expiry'
  if (expiresAtMs !== null && left !== null)
    until = `until its value expires, at ${new Date(expiresAtMs).toISOString()}, in ${durationText(Math.max(0, left))}`
  else if (value === null)
    until = 'until the marker of its row expires, if it ever does: Cassandra does not say when'
  return `${JSON.stringify(name)} has no holder, but its row stands without an owner (a zombie). This library can acquire it; a client that uses INSERT … IF NOT EXISTS cannot, ${until}.`
}

function holderFacts(view: LeaseView, owner: string): Record<string, string> {
  const left = remainingMs(view, systemClock.now())
  const until = view.expiresAtMs === null ? 'never' : new Date(view.expiresAtMs).toISOString()
  return {
    owner: printable(owner),
    value: printable(view.value ?? ''),
    expires: left === null ? until : `${until}, in ${durationText(Math.max(0, left))} unless renewed`,
    ttl: view.ttlSeconds === null ? '' : `${view.ttlSeconds} s`,
  }
}

/**
 * @returns 0: released, 1: it had no holder, 120: another owner holds it, or an operator broke it
 * @throws CliError (124) when it had no effect; OutcomeUnknownError also where no read shows whether it had one
 */
export async function release(
  io: Io,
  name: string,
  options: ConnectionOptions & { owner: string },
): Promise<number> {
  return withOpened(connectionOf(options, io.env), async ({ store }) => {
    const { owner } = options
    const leases = new LeaseProtocol({ store })
    const before = await leases.read(name)
    const outcome = await leases.release({ name, owner })
    const quoted = JSON.stringify(name)
    if (outcome.kind === 'released') {
      if (before?.owner === owner) await throwUnlessGone(leases, before)
      // After a lost answer the lease may have expired first: in both cases that owner does not hold it.
      if (io.stderr.isTTY)
        say(io, `${quoted} is released. A holder that still runs notices at its next renewal.`)
      return exitCode.done
    }
    const { owner: holder } = outcome
    if (holder === null) {
      say(io, `${quoted} has no holder.`)
      return exitCode.notHeld
    }
    let instead = `${quoted} is held by ${printable(holder)}, not by ${printable(owner)}.`
    if (isQuarantine(holder)) {
      const broken = await markedRow(holder, () => leases.read(name))
      instead = broken === null ? `An operator broke the lease ${quoted}.` : brokenText(broken)
    }
    say(io, `${instead} Nothing was released.`)
    return exitCode.held
  })
}

/**
 * Reads the row again after its release: Cassandra answers *applied* also where a client dated the row ahead of the clocks, and then
 * changes nothing.
 */
async function throwUnlessGone(leases: LeaseProtocol, before: LeaseView): Promise<void> {
  const { name, owner } = before
  // The delete was answered: no error of a read changes its outcome.
  const effect = killEffect(before, await leases.read(name).catch(() => undefined))
  const quoted = JSON.stringify(name)
  if (effect === 'not-released')
    throw new CliError(
      exitCode.refused,
      `Nothing was released: Cassandra answered that ${quoted} is gone, but ${printable(owner ?? '')} still holds it. A client dated the row ahead of the clocks, and nothing that is dated before can change it. \`leasehold get\` shows when it expires.`,
    )
  if (effect === 'unknown')
    throw new OutcomeUnknownError(
      `Whether ${quoted} was released is unknown: a client dated its row ahead of the clocks, where Cassandra's answer proves nothing, and no read shows what became of it.`,
      name,
      owner,
    )
}

/** Prints one number per line. */
export async function next(io: Io, name: string, options: JsonOption & { count: number }): Promise<number> {
  return withOpened(connectionOf(options, io.env), async ({ nextBlock }) => {
    const { first, last } = await nextBlock(name, options.count)
    if (options.json) {
      const block = { name, count: options.count, first: first.toString(), last: last.toString() }
      io.stdout.write(`${JSON.stringify(block)}\n`)
      return exitCode.done
    }
    const lines: string[] = []
    for (let number = first; number <= last; number++) lines.push(`${number}\n`)
    io.stdout.write(lines.join(''))
    return exitCode.done
  })
}

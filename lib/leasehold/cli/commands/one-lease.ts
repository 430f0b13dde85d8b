/** `leasehold get`, `leasehold release`, `leasehold next`: one name, one answer. */
import { LeaseProtocol, remainingMs } from '../../lease/index.ts'
import { systemClock } from '../../time/index.ts'
import { type ConnectionOptions, connectionOf } from '../connection/connection.ts'
import { rowOf, withOpened } from '../connection/open.ts'
import { exitCode } from '../process/exit-codes.ts'
import { type Io, say, styled } from '../process/io.ts'
import { durationText, printable, rowJson } from './format.ts'

type JsonOption = ConnectionOptions & { readonly json?: boolean }

/** @returns 0: the lease is held, 1: it has no holder */
export async function get(io: Io, name: string, options: JsonOption): Promise<number> {
  return withOpened(connectionOf(options, io.env), async ({ store }) => {
    const view = await new LeaseProtocol({ store }).read(name)
    const held = view?.owner != null
    if (options.json) io.stdout.write(`${JSON.stringify(view === null ? null : rowJson(rowOf(view)))}\n`)
    else if (!held) say(io, `${JSON.stringify(name)} has no holder.`)
    else {
      const left = remainingMs(view, systemClock.now())
      const until = view.expiresAtMs === null ? 'never' : new Date(view.expiresAtMs).toISOString()
      const facts = {
        name: printable(view.name),
        owner: printable(view.owner as string),
        value: printable(view.value ?? ''),
        expires: left === null ? until : `${until}, in ${durationText(Math.max(0, left))} unless renewed`,
        ttl: view.ttlSeconds === null ? '' : `${view.ttlSeconds} s`,
        version: String(view.version),
      }
      for (const [fact, text] of Object.entries(facts))
        if (text !== '') io.stdout.write(`${styled(io, io.stdout, 'dim', fact.padEnd(8))} ${text}\n`)
    }
    return held ? exitCode.done : exitCode.notHeld
  })
}

/** @returns 0: released, 1: it had no holder, 120: another owner holds it */
export async function release(
  io: Io,
  name: string,
  options: ConnectionOptions & { owner: string },
): Promise<number> {
  return withOpened(connectionOf(options, io.env), async ({ store }) => {
    const { owner } = options
    const outcome = await new LeaseProtocol({ store }).release({ name, owner })
    const quoted = JSON.stringify(name)
    if (outcome.kind === 'released') {
      // After a lost answer the lease may have expired first: in both cases that owner does not hold it.
      if (io.stderr.isTTY)
        say(io, `${quoted} is released. A holder that still runs notices at its next renewal.`)
      return exitCode.done
    }
    say(
      io,
      outcome.owner === null
        ? `${quoted} has no holder.`
        : `${quoted} is held by ${printable(outcome.owner)}, not by ${printable(owner)}. Nothing was released.`,
    )
    return outcome.owner === null ? exitCode.notHeld : exitCode.held
  })
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

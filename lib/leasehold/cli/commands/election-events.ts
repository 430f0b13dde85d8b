/** The events that `leasehold elect` prints, one per line, for people or as JSON. */
import type { Election } from '../../election/index.ts'
import { systemClock } from '../../time/index.ts'
import { exitCode } from '../process/exit-codes.ts'
import { unlessAborted } from '../process/interrupt.ts'
import { type Io, styled } from '../process/io.ts'
import { printable } from '../process/printable.ts'

export type PrintEvent = (event: string, facts: Record<string, string | null>) => void

export function eventPrinter(io: Io, group: string, json: boolean): PrintEvent {
  return (event, facts) => {
    const at = new Date(systemClock.now().wallMs).toISOString()
    if (json) return void io.stdout.write(`${JSON.stringify({ at, event, group, ...facts })}\n`)
    const texts = Object.entries(facts).flatMap(([key, text]) =>
      text === null ? [] : `${key} ${printable(text)}`,
    )
    const line = `${styled(io, io.stdout, 'dim', at)}  ${event.padEnd(8)}  ${texts.join('  ')}`.trimEnd()
    io.stdout.write(`${line}\n`)
  }
}

/** A number of 64 bits as text: a JSON number would lose digits. */
export const textOf = (number: bigint | null): string | null => number?.toString() ?? null

/** Prints every leader and every vacancy until the signal aborts. */
export async function printObservations(
  election: Election,
  print: PrintEvent,
  signal: AbortSignal,
): Promise<void> {
  for await (const observation of election.observe({ signal })) {
    if (signal.aborted) return
    if (observation.kind === 'vacant') print('vacant', {})
    else {
      const { owner, term, token, value } = observation.leader
      print('leader', { owner, term: textOf(term), token: textOf(token), value })
    }
  }
}

/** `leasehold elect GROUP --observe`: prints until a signal interrupts it. */
export async function observe(election: Election, print: PrintEvent, signal: AbortSignal): Promise<number> {
  try {
    await unlessAborted(signal, printObservations(election, print, signal))
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
  return exitCode.done
}

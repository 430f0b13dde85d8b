import type { ConsoleContext } from './context.ts'

const key = Symbol.for('leasehold.console')
/**
 * The server, instrumentation, pages and routes are separate module graphs: what they share lives on globalThis.
 * `console` is set once `starting` has come to its end.
 */
type Global = typeof globalThis & { [key]?: { starting: Promise<ConsoleContext>; console?: ConsoleContext } }

/** Runs `start` unless it was run in this process before, by whichever copy of this module. */
export function startOnce(start: () => Promise<ConsoleContext>): Promise<ConsoleContext> {
  const shared = globalThis as Global
  if (shared[key] !== undefined) return shared[key].starting
  const starting = start()
  const entry: NonNullable<Global[typeof key]> = { starting }
  shared[key] = entry
  return starting.then((console) => {
    entry.console = console
    return console
  })
}

/** The console of this process, after its start. */
export function consoleContext(): ConsoleContext {
  const context = (globalThis as Global)[key]?.console
  if (context === undefined) throw new Error('The console was not started.')
  return context
}

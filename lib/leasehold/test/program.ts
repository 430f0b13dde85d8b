/** What the programs of this folder share: each is a process of its own, started by `programs.ts`. */
import { createInterface } from 'node:readline'
import { isLeaseholdError } from '../lease/index.ts'

export interface Connection {
  contactPoints: string[]
  localDataCenter: string
  keyspace: string
  username?: string
  password?: string
}

/** What the test gave this process. */
export const settings = <S>(): S => JSON.parse(process.argv[2] ?? '{}')

/** Lets the test know. */
export function say(said: string, more: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ said, ...more })}\n`)
}

/** Resolves when the test says so, once for each time. Standard input keeps no process alive in between. */
export async function told(): Promise<void> {
  const lines = createInterface({ input: process.stdin })
  await new Promise<void>((resolve) => lines.once('line', () => resolve()))
  lines.close()
  process.stdin.unref?.()
}

/** Calls again what was not sent: of a busy machine a conditional write may leave too late, and then it never does. Nor does each connection open in time. */
export async function untilSent<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await call()
    } catch (thrown) {
      if (tries === 10 || !isLeaseholdError(thrown, 'store-unavailable')) throw thrown
    }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

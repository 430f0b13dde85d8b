/** What the programs of this folder share: each is a process of its own, started by `programs.ts`. */
import { createInterface } from 'node:readline'

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

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

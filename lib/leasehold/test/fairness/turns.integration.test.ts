/** Loops in processes of their own over one name: each of them gets its turns. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTables } from '../../cassandra/index.ts'
import { testSession } from '../node-session.ts'
import { Programs, testConnection } from '../programs.ts'
import type { LoopSettings } from './loop.program.ts'

const keyspace = 'turns_test'
const loop = join(import.meta.dirname, 'loop.program.ts')
let programs: Programs

beforeAll(async () => {
  programs = await Programs.compile(loop)
  await using session = await testSession(keyspace)
  await createTables(session)
})
afterAll(() => programs?.remove())

/** @returns the turns of each process, the fewest first */
async function turnsOf(processes: number, settings: Pick<LoopSettings, 'over' | 'workMs' | 'forMs'>) {
  const name = `turns/${randomBytes(6).toString('hex')}`
  const connection = testConnection(keyspace)
  const loops = Array.from({ length: processes }, () =>
    programs.start(loop, { connection, name, ...settings } satisfies LoopSettings),
  )
  await Promise.all(loops.map((each) => each.says('ready')))
  for (const each of loops) each.tell()
  const said = await Promise.all(loops.map((each) => each.says('turns')))
  const ended = await Promise.all(loops.map((each) => each.endsWithin(10_000)))
  expect(ended).toEqual(loops.map(() => ({ code: 0, stderr: '' })))
  const turns = said.map((each) => Number(each.turns)).sort((a, b) => a - b)
  const longest = Math.max(...said.map((each) => Number(each.longestMs)))
  console.info(
    `${processes} loops over one ${settings.over}, ${settings.workMs} ms of work: ${turns.join(', ')} turns; ${Math.round(longest)} ms without a turn at most`,
  )
  return turns
}

/**
 * Of a machine that stands still for a quarter of the time, one loop may lose more than the others: a mistake loses it each time.
 * @param share of an equal share. One turn more or less depends on when the time is over: few turns fit into it on a busy machine.
 */
async function expectShares(share: number, ...of: Parameters<typeof turnsOf>): Promise<void> {
  for (let tries = 1; ; tries++) {
    const turns = await turnsOf(...of)
    const equalShare = turns.reduce((sum, each) => sum + each, 0) / turns.length
    if (tries < 3 && (turns[0] ?? 0) + 1 < share * equalShare) continue
    expect((turns[0] ?? 0) + 1).toBeGreaterThanOrEqual(share * equalShare)
    return
  }
}

// The loops mostly wait, and run beside each other.
it.concurrent.each([
  { processes: 2, over: 'lock', workMs: 250, forMs: 20_000 },
  { processes: 2, over: 'election', workMs: 250, forMs: 20_000 },
  { processes: 3, over: 'lock', workMs: 250, forMs: 12_000 },
  { processes: 3, over: 'election', workMs: 250, forMs: 12_000 },
] as const)(
  '$processes loops over one $over, with $workMs ms of work, take turns',
  async ({ processes, ...loops }) => {
    await expectShares(0.8, processes, loops)
  },
)

// They look for waiters ten times a second, so that a turn is a burst of up to 100 ms.
it.each(['lock', 'election'] as const)(
  'two loops over one %s whose work takes no time both get on',
  async (over) => {
    await expectShares(0.5, 2, { over, workMs: 0, forMs: 10_000 })
  },
)

/**
 * Two instances, whose statements overlap, whose answers are lost and whose writes take effect late: no request that comes after a
 * revocation was answered is let in. The clock stands still, so that the age of a row never helps.
 */
import fc from 'fast-check'
import { StatementUnknownError, StoreUnavailableError } from 'leasehold/lease'
import { FakeClock } from 'leasehold/testing'
import { expect, it } from 'vitest'
import { HttpProblem } from '../../http/http-problem.ts'
import { log } from '../../http/log/log.ts'
import { ApiTokens } from './api-tokens.ts'
import { knownForMs } from './known-tokens.ts'

type Row = Record<string, unknown>
type Drawn = ReturnType<ApiTokens['draw']>

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
const names = [
  'readToken',
  'readTokens',
  'readRevocation',
  'readRevocations',
  'deleteToken',
  'noteRevocation',
  'confirmRevocation',
  'deleteTokenUse',
  'noteTokenUse',
]
const statements = Object.fromEntries(names.map((name) => [name, name]))

/** The two tables; each statement takes effect at one moment, `next()` turns after it was sent. */
class Tables {
  readonly tokens = new Map<unknown, Row>()
  last: unknown = null
  sent: string[] = []
  /** Of how many tries of the next revocation the answer is lost. */
  lost = 0
  readonly #next: () => number

  constructor(next: () => number) {
    this.#next = next
  }

  execute = async (statement: unknown, [first]: unknown[]): Promise<{ rows: Row[] }> => {
    this.sent.push(String(statement))
    if (statement === 'noteRevocation' && this.lost > 0) {
      this.lost -= 1
      void turns(10 * this.#next()).then(() => this.#rowsOf(statement, first))
      throw new StatementUnknownError('No answer came.', 'never')
    }
    await turns(this.#next())
    const rows = this.#rowsOf(statement, first)
    await turns(this.#next())
    return { rows }
  }

  #rowsOf(statement: unknown, first: unknown): Row[] {
    if (statement === 'deleteToken') this.tokens.delete(first)
    if (statement === 'noteRevocation') this.last = first
    if (statement === 'confirmRevocation') return [{ last: this.last }]
    if (statement === 'readRevocation') return this.last === null ? [] : [{ id: 'all', last: this.last }]
    if (statement !== 'readToken' && statement !== 'readTokens') return []
    return [first]
      .flat()
      .map((id) => this.tokens.get(id))
      .filter((row) => row !== undefined)
  }

  keep({ row }: Drawn): void {
    const { secretHash: secret_hash, createdBy: created_by, createdAt: created_at, ...rest } = row
    this.tokens.set(row.id, { ...rest, secret_hash, created_by, created_at })
  }
}

/** The chain tells this instance of no revocation. */
const untold = {
  next: () => ({ version: 1, seal: 's' }),
  changed: () => {},
  counted: async (read: { row: unknown } | null) => read?.row ?? null,
  isCurrent: () => true,
}
function instanceOn(
  tables: Tables,
  clock = new FakeClock(),
  sleep = (_ms: number) => turns(1),
  rows: object = untold,
): ApiTokens {
  const timer = { after: () => () => {}, sleep }
  return new ApiTokens({ session: tables, statements, rows, log, clock, timer } as never)
}
const wanted = { name: 'x', role: 'client', prefixes: ['x'], tables: ['leases'] } as const
const draw = (tokens: ApiTokens) =>
  tokens.draw({ ...wanted, prefixes: [...wanted.prefixes], tables: [...wanted.tables] }, 'ann')

const step = fc.record({
  instance: fc.nat(1),
  token: fc.nat(2),
  // Seldom enough that tokens are known for some steps.
  act: fc.oneof(
    { weight: 9, arbitrary: fc.constant('find') },
    { weight: 1, arbitrary: fc.constant('revoke') },
  ),
  lost: fc.nat(1),
  turns: fc.nat(6),
})

it('lets no request in that comes after the revocation was answered', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 40, maxLength: 80 }),
      fc.array(fc.nat(12), { minLength: 10, maxLength: 30 }),
      async (steps, delays) => {
        let drawnDelays = 0
        const tables = new Tables(() => delays[drawnDelays++ % delays.length] ?? 0)
        const instances = [instanceOn(tables), instanceOn(tables)]
        const drawn = [0, 1, 2].map(() => draw(instances[0] as ApiTokens))
        for (const each of drawn) tables.keep(each)
        const isRevoked = new Set<Drawn>()
        const running: Promise<unknown>[] = []
        for (const { instance, token, act, lost, turns: pause } of steps) {
          await turns(pause)
          const tokens = instances[instance] as ApiTokens
          const of = drawn[token] as Drawn
          if (act === 'revoke') {
            tables.lost = lost
            running.push(tokens.revoke(of.row).then(() => isRevoked.add(of)))
            continue
          }
          const comesAfter = isRevoked.has(of)
          running.push(
            tokens.find(of.answer.token).then((found) => {
              if (comesAfter) expect(found).toBeNull()
            }),
          )
        }
        await Promise.all(running)
      },
    ),
    { numRuns: 400 },
  )
})

/** A token that one instance knows, and the other is asked about. */
async function known(clock = new FakeClock(), sleep?: (ms: number) => Promise<void>) {
  const tables = new Tables(() => 0)
  const [knowing, other] = [instanceOn(tables, clock), instanceOn(tables, clock, sleep)]
  const drawn = draw(other)
  tables.keep(drawn)
  // The first finds out which revocation was the last, the second reads the row under it.
  for (let find = 0; find < 2; find++) {
    expect(await knowing.find(drawn.answer.token)).not.toBeNull()
    await turns(2)
  }
  tables.sent = []
  const find = () => knowing.find(drawn.answer.token, { use: false })
  return { tables, knowing, other, drawn, find }
}

it('reads one row for all tokens of requests that come at the same time, and no token', async () => {
  const { tables, knowing, drawn, find } = await known()
  const second = draw(knowing)
  tables.keep(second)
  await knowing.find(second.answer.token)
  tables.sent = []
  await Promise.all([find(), find(), knowing.find(second.answer.token), knowing.find(drawn.answer.token)])
  expect(tables.sent).toEqual(['readRevocation'])
})

it('reads a token again a second after it was read: its row may have been deleted by hand', async () => {
  const clock = new FakeClock()
  const { tables, drawn, find } = await known(clock)
  tables.tokens.delete(drawn.row.id)
  clock.suspend(knownForMs - 1)
  expect(await find()).not.toBeNull()
  clock.suspend(1)
  expect(await find()).toBeNull()
  expect(tables.sent).toEqual(['readRevocation', 'readToken'])
})

it('a revocation that cannot be noted is answered when no instance knows the token any more', async () => {
  const clock = new FakeClock()
  const { tables, other, drawn, find } = await known(clock, async (ms) => clock.suspend(ms))
  tables.execute = ((execute) => async (statement: unknown, values: unknown[]) => {
    if (statement === 'noteRevocation') throw new StoreUnavailableError('silent')
    return execute(statement, values)
  })(tables.execute)
  const revoked = other.revoke(drawn.row)
  expect(await find()).not.toBeNull()
  await revoked
  expect(await find()).toBeNull()
})

it('a row that was read before a revocation does not count under it, although its answer came later', async () => {
  const { tables, knowing, other, find } = await known()
  const slow = draw(other)
  tables.keep(slow)
  let answer = () => {}
  const execute = tables.execute
  tables.execute = async (statement, values) => {
    const rows = await execute(statement, values)
    if (statement === 'readToken' && values[0] === slow.row.id)
      await new Promise<void>((done) => (answer = done))
    return rows
  }
  const before = knowing.find(slow.answer.token)
  await turns(5)
  await other.revoke(slow.row)
  expect(await find()).not.toBeNull()
  answer()
  expect(await before).not.toBeNull()
  tables.execute = execute
  expect(await knowing.find(slow.answer.token)).toBeNull()
})

it('a token that the audit log says was revoked is read again, although no revocation was noted', async () => {
  const tables = new Tables(() => 0)
  let isCurrent = true
  const rows = { ...untold, isCurrent: () => isCurrent }
  const tokens = instanceOn(tables, new FakeClock(), undefined, rows)
  const drawn = draw(tokens)
  tables.keep(drawn)
  for (let find = 0; find < 3; find++) {
    await tokens.find(drawn.answer.token)
    await turns(2)
  }
  isCurrent = false
  tables.tokens.delete(drawn.row.id)
  expect(await tokens.find(drawn.answer.token)).toBeNull()
})

it('a token that is remembered does not count while the versions of rows are not known', async () => {
  const tables = new Tables(() => 0)
  let isRead = true
  const isCurrent = () => {
    if (isRead) return true
    throw new HttpProblem('not-ready', 'The audit log was not read.')
  }
  const tokens = instanceOn(tables, new FakeClock(), undefined, { ...untold, isCurrent })
  const drawn = draw(tokens)
  tables.keep(drawn)
  for (let find = 0; find < 3; find++) {
    await tokens.find(drawn.answer.token)
    await turns(2)
  }
  isRead = false
  tables.sent = []
  await expect(tokens.find(drawn.answer.token)).rejects.toMatchObject({ code: 'not-ready' })
  expect(tables.sent).toEqual(['readRevocation'])
})

it('a request fails when the last revocation cannot be read', async () => {
  const { tables, find } = await known()
  tables.execute = async () => {
    throw new StatementUnknownError('No answer came.', 'never')
  }
  await expect(find()).rejects.toThrow('No answer came.')
})

/**
 * Lamport's bakery on a real Cassandra: ten steps, eight customers, each with a connection of its own. Two of them
 * crash, one while it chooses its number, one inside. No two are inside at the same time, and the other six are served.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Bakery, type BakeryRegisters, type BakeryTurn } from '../../bakery/index.ts'
import { CassandraBakeryRegisters, type CassandraSession, tables } from '../../cassandra/index.ts'
import { isLeaseholdError } from '../../lease/index.ts'
import { timerOver } from '../../testing/index.ts'
import { systemTimer } from '../../time/index.ts'
import { testSession } from '../node-session.ts'

const keyspace = 'bakery_article'
/** The shortest one. */
const leastTtlSeconds = 6
/** Of customers that crash: a machine that stands still for seconds takes no turn from the others, nor registers that are being read. */
const ttlSeconds = 10
const maxClockSkewMs = 100
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const never = new Promise<never>(() => {})

let sessions: CassandraSession[] = []
let registers: CassandraBakeryRegisters
const fresh = () => `bread/${randomBytes(6).toString('hex')}`

beforeAll(async () => {
  sessions = await Promise.all(Array.from({ length: 8 }, () => testSession(keyspace)))
  const [first] = sessions as [CassandraSession]
  registers = new CassandraBakeryRegisters(first)
  for (const table of [tables.bakery_choosing, tables.bakery_numbers])
    await first.client.execute(table.replaceAll('$k', `"${keyspace}"`))
})
afterAll(() => Promise.all(sessions.map((session) => session.close())))

/** A process that can be killed: from then on nothing leaves it, nothing reaches it, and none of its timers fires. */
function mortal(session: CassandraSession, ttl = ttlSeconds) {
  let dead = false
  const store = new CassandraBakeryRegisters(session)
  const alive = <A extends unknown[], T>(method: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      if (dead) return never
      const answer = await method.apply(store, args)
      return dead ? never : answer
    }
  }
  const own: BakeryRegisters = {
    setChoosing: alive(store.setChoosing),
    clearChoosing: alive(store.clearChoosing),
    setNumber: alive(store.setNumber),
    clearNumber: alive(store.clearNumber),
    choosing: alive(store.choosing),
    numbers: alive(store.numbers),
  }
  const timer = timerOver((ms, signal) =>
    systemTimer.sleep(ms, signal).then(() => (dead ? never : undefined)),
  )
  return {
    registers: own,
    bakery: new Bakery({ registers: own, timer, ttlSeconds: ttl, maxClockSkewMs }),
    die: () => {
      dead = true
    },
  }
}

it.concurrent('keeps eight customers apart, two of whom crash, and serves the other six', async () => {
  const name = fresh()
  const processes = sessions.map((session) => mortal(session))
  const inside = new Map<number, BakeryTurn>()
  const served: number[] = []
  const crowds: string[] = []

  const visit = (who: number, work: () => Promise<void>) =>
    processes[who]?.bakery.withLock(name, { waitMs: 150_000 }, async (_, turn) => {
      for (const [other, theirs] of inside) if (theirs.held) crowds.push(`${who} met ${other}`)
      inside.set(who, turn)
      await work()
      inside.delete(who)
      served.push(who)
    })

  // Looked at when they die: on a busy machine, registers expire before both have.
  let numbersThen: unknown[] = []
  let choosingThen: unknown[] = []
  // Customer 0 dies inside: with its number on the wall, and never to give it back.
  let enter = () => {}
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  const diedInside = new Promise<void>((resolve) => {
    void visit(0, async () => {
      enter()
      await pause(200)
      numbersThen = await registers.numbers(name)
      processes[0]?.die()
      resolve()
      await never
    })
  })
  // Customer 1 dies while choosing: every customer after it has to wait until it is known not to choose any more.
  const choosing = processes[1] as ReturnType<typeof mortal>
  const diedChoosing = new Promise<void>((resolve) => {
    const { setChoosing } = choosing.registers
    choosing.registers.setChoosing = async (...args) => {
      await setChoosing(...args)
      choosingThen = await registers.choosing(name)
      choosing.die()
      resolve()
      await never
    }
  })
  await entered
  void visit(1, async () => {})
  await Promise.all([diedInside, diedChoosing])
  expect(choosingThen, 'one is choosing, for ever as far as it goes').toHaveLength(1)
  expect(numbersThen, 'one has a number, and is inside').toHaveLength(1)

  const others = [2, 3, 4, 5, 6, 7]
  await Promise.all(others.map((who) => visit(who, () => pause(100))))
  expect(served.toSorted()).toEqual(others)
  expect(crowds).toEqual([])
  // They were served after the dead one's deadline, not only after it had died.
  expect(inside.get(0)?.held).toBe(false)
  expect(await registers.numbers(name)).toEqual([])
  expect(await registers.choosing(name)).toEqual([])
})

it.concurrent('counts to forty without losing one: read, pause, write, by eight customers five times each', async () => {
  const name = fresh()
  let counter = 0
  const visits = sessions.map(async (session) => {
    const bakery = new Bakery({
      registers: new CassandraBakeryRegisters(session),
      // No customer dies: with a short one, those of a machine that stands still for three seconds lose their turns.
      ttlSeconds: 30,
      maxClockSkewMs,
    })
    for (let round = 0; round < 5; round++)
      await bakery.withLock(name, { waitMs: 150_000 }, async (signal) => {
        const read = counter
        await pause(5)
        signal.throwIfAborted()
        counter = read + 1
      })
  })
  await Promise.all(visits)
  expect(counter).toBe(40)
})

it.concurrent('keeps a turn that outlives its TTL twice, and the next one out', async () => {
  const play = async () => {
    const name = fresh()
    const [one, two] = sessions.map((each) => mortal(each, leastTtlSeconds)) as [
      ReturnType<typeof mortal>,
      ReturnType<typeof mortal>,
    ]
    let left = false
    let enter = () => {}
    const entered = new Promise<void>((resolve) => {
      enter = resolve
    })
    const long = one.bakery.withLock(name, async (signal, turn) => {
      enter()
      await pause(13_000)
      left = true
      return turn.held && !signal.aborted
    })
    await Promise.race([entered, long])
    const next = two.bakery.withLock(name, { waitMs: 150_000 }, async () => left)
    const kept = long.catch((thrown) => {
      if (!isLeaseholdError(thrown, 'lease-lost')) throw thrown
      return false
    })
    return Promise.all([kept, next])
  }
  let played = await play()
  // A machine that stands still for three seconds loses the turn too: a mistake loses it each time.
  for (let tries = 1; tries < 3 && !played[0]; tries++) played = await play()
  expect(played).toEqual([true, true])
})

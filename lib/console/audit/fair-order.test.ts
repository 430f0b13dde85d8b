/** In which order entries go into the chain while more of them wait than a batch holds. */
import { expect, it } from 'vitest'
import { event } from './chain/test-audit.ts'
import { bodies, setUp } from './chain/test-stored-log.ts'

const program = {
  username: 'worker',
  role: 'client',
  via: 'token',
  address: '10.0.0.9',
  requestId: 'p',
} as const
const byWhom = { 'a program': program, 'a person': event('').actor }

/** A log whose statements take 50 ms each: 160 entries a second, in batches of 16. */
function slowLog() {
  const { store, clock, audit } = setUp()
  store.slow = { timer: clock, ms: 50 }
  const since = () => clock.now().monotonicMs
  return { store, clock, audit, since }
}

it.each(Object.entries(byWhom))(
  'outcomes are written while 50 acts of %s at a time wait for their intents',
  async (_, actor) => {
    const { store, clock, audit } = slowLog()
    let isOver = false
    const act = async () => {
      while (!isOver) {
        const id = crypto.randomUUID()
        await audit.append(event(id, { phase: 'intent', outcome: null, actor }))
        await clock.sleep(50)
        void audit.appendUntilWritten(event(id, { phase: 'outcome', outcome: 'notHeld', actor }))
      }
    }
    const acts = Array.from({ length: 50 }, act)
    await clock.advance(500)
    let isWritten = false
    const outcome = event('kill', { phase: 'outcome', outcome: 'released' })
    void audit.appendUntilWritten(outcome).then(() => {
      isWritten = true
    })
    await clock.advance(2_000)
    expect(isWritten).toBe(true)
    const outcomes = bodies(store).filter(({ outcome }) => outcome === 'notHeld')
    expect(outcomes.length).toBeGreaterThan(10)
    isOver = true
    await clock.run(Promise.all(acts))
  },
)

it('an act of a person waits for no flood of a program, neither its intent nor its outcome', async () => {
  const { clock, audit, since } = slowLog()
  for (let n = 0; n < 3_000; n++) {
    void audit.append(event(`p${n}`, { phase: 'intent', outcome: null, actor: program })).catch(() => {})
    void audit.appendUntilWritten(event(`o${n}`, { phase: 'outcome', outcome: 'notHeld', actor: program }))
  }
  await clock.advance(1_000)
  const began = since()
  await clock.run(audit.append(event('kill', { phase: 'intent', outcome: null })))
  await clock.run(audit.appendUntilWritten(event('kill', { phase: 'outcome', outcome: 'released' })))
  expect(audit.pending.length).toBeGreaterThan(2_000)
  // For each of the two, the batch that is under way, and one more.
  expect(since() - began).toBeLessThanOrEqual(4 * 100)
})

it('a program’s act is written while entries of people wait', async () => {
  const { clock, audit, since } = slowLog()
  for (let n = 0; n < 1_000; n++) {
    void audit.append(event(`i${n}`, { phase: 'intent', outcome: null })).catch(() => {})
    void audit.appendUntilWritten(event(`s${n}`, { act: 'sign-out' }))
  }
  const began = since()
  await clock.run(audit.append(event('p', { phase: 'intent', outcome: null, actor: program })))
  await clock.run(audit.appendUntilWritten(event('p', { phase: 'outcome', actor: program })))
  expect(since() - began).toBeLessThanOrEqual(6 * 100)
})

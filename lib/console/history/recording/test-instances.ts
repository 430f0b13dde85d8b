/** For tests alone: instances of the console that share a store and its history, in fake time. */
import { type LeaseEvent, readHistory } from 'leasehold/history'
import { LeaseProtocol } from 'leasehold/lease'
import { FakeClock, MemoryEventStore, MemoryLeaseStore } from 'leasehold/testing'
import { log } from '../../http/log/log.ts'
import type { LeaseTable } from '../../leases/lease-table.ts'
import { ObservedStore } from '../../watch/reading/observed-store.ts'
import { Watch } from '../../watch/watch.ts'
import { notObserved } from '../reading/not-observed.ts'
import type { RecordingStore, Stretch } from '../recordings.ts'
import { Recorder } from './recorder.ts'

export class MemoryRecordings implements RecordingStore {
  readonly stretches = new Map<string, Stretch>()
  async write(_table: string, stretch: Stretch): Promise<void> {
    this.stretches.set(`${stretch.beganMs} ${stretch.recorder} ${stretch.what}`, stretch)
  }
  async between(): Promise<Stretch[]> {
    return [...this.stretches.values()].sort((one, other) => one.beganMs - other.beganMs)
  }
}

/** A process of the console. */
export interface Instance {
  /** Its statements reach no node from now on, and its timers go on: as good as dead. */
  isCutOff: boolean
  readonly recorder: Recorder
  readonly closing: AbortController
}

const passesOver = (name: string) => name.startsWith('passed-over/')
const unavailable = () => Promise.reject(Object.assign(new Error('cut off'), { code: 'store-unavailable' }))
export const brief = ({ kind, owner }: LeaseEvent) => `${kind} ${owner}`

export function setUp(startMs: number) {
  const clock = new FakeClock(startMs)
  const store = new MemoryLeaseStore(clock)
  const events = new MemoryEventStore()
  const recordings = new MemoryRecordings()
  const options = { clock, timer: clock, random: () => 0.5, maxClockSkewMs: 100 }
  const workers = new LeaseProtocol({ store, ...options })

  function instance(waitingMax = 1_000): Instance {
    const closing = new AbortController()
    const made: { -readonly [K in keyof Instance]?: Instance[K] } = { isCutOff: false, closing }
    const reached = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (of, key) => {
          const member = Reflect.get(of, key)
          if (typeof member !== 'function') return member
          return (...args: unknown[]) => (made.isCutOff ? unavailable() : member.apply(of, args))
        },
      })
    const observed = new ObservedStore(reached(store), clock)
    const leases = new LeaseProtocol({ store: observed, ...options })
    const mapping = { table: 'leases', name: 'name', owner: 'owner', value: 'value' }
    const table = { id: 'leases', mapping, readOnly: false, leases } as unknown as LeaseTable
    const tables = new Map([['leases', table]])
    const watch = new Watch({ tables, clock, timer: clock, log, closing: closing.signal })
    observed.observedBy(watch.observer('leases'))
    watch.begin()
    const recorded = {
      leaseTable: 'k.leases',
      events: reached(events),
      watch: () => watch.table('leases'),
      passesOver,
    }
    made.recorder = new Recorder({
      tables: [recorded],
      recordings: reached(recordings),
      leases,
      clock,
      timer: clock,
      log,
      waitingMax,
    })
    void made.recorder.run(closing.signal)
    return made as Instance
  }

  async function acquire(owner: string, ttlSeconds = 30) {
    const outcome = await clock.run(workers.tryAcquire('job', { owner, ttlSeconds }))
    if (outcome.kind !== 'acquired') throw new Error('It is held.')
    return outcome.tenure
  }
  const history = async (name = 'job') => {
    const range = { fromMs: startMs - 3_600_000, toMs: clock.now().wallMs + 1 }
    return readHistory(events, name, { ...range, renewals: 'minute', limit: 1_000 })
  }
  const gaps = async () => {
    const range = { fromMs: startMs, toMs: clock.now().wallMs }
    return notObserved(await recordings.between(), range, range.toMs)
  }

  return { clock, store, events, recordings, workers, instance, acquire, history, gaps }
}

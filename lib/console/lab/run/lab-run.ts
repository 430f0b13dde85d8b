/**
 * One run of the lab: its candidates, its lease, its journal and its story, from the start to the last DELETE.
 *
 * Everything of it is on leases under `lab/{run}/`; no act reaches another one, nor a row there that the run did not write.
 */
import { CassandraResignRequests, type Executor } from 'leasehold/cassandra'
import { LeaseProtocol, type LeaseStore } from 'leasehold/lease'
import type { Clock, Timer } from 'leasehold/time'
import type { Entry } from '../../../contract/lab/journal.ts'
import { labBounds } from '../../../contract/lab/lab-bounds.ts'
import type { LabAct, LabRun as LabRunJson } from '../../../contract/lab/run.ts'
import { removeRows } from '../bounds/remove-rows.ts'
import { CandidateTime } from '../faults/candidate-time.ts'
import { type RunFacts, runJson } from '../journal/run-facts.ts'
import { RunJournal } from '../journal/run-journal.ts'
import type { Scenario } from '../story/stage.ts'
import { Story } from '../story/story.ts'
import { BakeryCustomer } from './bakery-customer.ts'
import { Candidate } from './candidate.ts'
import { Counters } from './counters.ts'
import { forceRelease } from './forced-release.ts'
import { LeaseObserver } from './lease-observer.ts'
import { Participant } from './participant.ts'
import { PlainClient } from './plain/plain-client.ts'

export type EndReason = Entry<'ended'>['why']

interface RunDeps {
  readonly session: Executor
  /** The store of the run’s lease: refused writes while the table is not trusted. */
  storeOver(executor: Executor): LeaseStore
  readonly clock: Clock
  readonly timer: Timer
  failed(error: unknown): void
}

/** Why an act was not carried out, as a sentence. null: it was. */
export type ActRefusal = string | null

const candidatesMax = labBounds.candidates.max
/** At the end, for statements that were on their way. */
const settleMs = 100

export class LabRun {
  readonly facts: RunFacts
  readonly journal: RunJournal
  readonly #deps: RunDeps
  /** The lab’s own timers of this run. */
  readonly #time: CandidateTime
  readonly #members = new Map<string, Candidate | BakeryCustomer>()
  readonly #lab: Participant
  readonly #leases: LeaseProtocol
  readonly #observer: LeaseObserver
  readonly #counters: Counters
  readonly #customers = new Map<string, string>()
  readonly #scenario: Scenario | null
  readonly #stop = new AbortController()
  #plain: PlainClient | undefined
  #story: Story | undefined
  #looksAtDeadline = true
  #isFair: boolean
  #ending: Promise<void> | undefined
  #endedAtMs: number | null = null
  #isRemoved = false

  constructor(facts: RunFacts, scenario: Scenario | null, deps: RunDeps) {
    this.facts = facts
    this.#deps = deps
    this.#scenario = scenario
    this.#isFair = facts.fair
    this.journal = new RunJournal(deps.clock)
    this.#time = new CandidateTime(deps.clock, deps.timer)
    this.#counters = new Counters(deps.session, facts.run)
    this.#lab = new Participant(this.#of('lab'))
    const { maxClockSkewMs, name } = facts
    const protocolOver = (executor: Executor) =>
      new LeaseProtocol({
        store: deps.storeOver(executor),
        resignRequests: new CassandraResignRequests(executor),
        maxClockSkewMs,
        clock: deps.clock,
        timer: this.#time,
      })
    this.#leases = protocolOver(this.#lab.executor)
    this.#observer = new LeaseObserver({
      name,
      journal: this.journal,
      timer: this.#time,
      failed: deps.failed,
      leases: protocolOver(deps.session),
    })
  }

  get hasEnded(): boolean {
    return this.#endedAtMs !== null
  }

  json(): LabRunJson {
    return runJson(this.facts, { endedAtMs: this.#endedAtMs, story: this.#story?.state ?? null })
  }

  /** @param candidates of a playground */
  begin(candidates: number): void {
    if (this.#scenario?.isBakery !== true) void this.#observer.run(this.#stop.signal)
    const count = this.#scenario?.candidates ?? candidates
    for (let i = 0; i < count; i++) this.#join()
    if (this.#scenario === null) return
    this.#story = new Story(this.#scenario.steps(this.#stage()), this.journal, this.#time)
    this.#story.begin()
  }

  /** @param by who acts, for the journal */
  act(act: LabAct, by: string): ActRefusal {
    if (this.#ending !== undefined) return 'This run has ended.'
    switch (act.act) {
      case 'join':
        return this.#freeId() === null
          ? `A run has ${candidatesMax} candidates at most. Let one leave first.`
          : this.#done(this.#join())
      case 'release':
        if (this.#scenario?.isBakery === true) return 'The bakery has no lease to release.'
        return this.#done(this.#release(act.mode, by))
      case 'deadline-check':
        return this.#done(this.#checkDeadline(act.on))
      case 'story':
        if (this.#story === undefined) return 'This run has no story.'
        return this.#done(this.#story[act.do]())
      default:
        return this.#actOn(act)
    }
  }

  #actOn(act: Extract<LabAct, { candidate: string }>): ActRefusal {
    const member = this.#members.get(act.candidate)
    // The write hangs in the network, whatever became of its candidate.
    const isLetGo = act.act === 'fault' && act.fault === 'hold-next' && !act.on
    if (member === undefined || (member.hasLeft && !isLetGo))
      return `There is no candidate ${act.candidate} in this run.`
    if (member.time.hasCrashed && !isLetGo) return `${act.candidate} has crashed, and does not come back.`
    if (act.act === 'fault') {
      if (act.fault === 'crashed' && !act.on) return 'A candidate that has crashed does not come back.'
      const needsMs = act.on && (act.fault === 'delayed' || act.fault === 'skewed')
      if (needsMs && act.ms === undefined)
        return `Say by how many milliseconds: the fault ${act.fault} needs \`ms\`.`
      const delayMax = labBounds.delayMs.max
      if (act.fault === 'delayed' && act.on && ((act.ms ?? 0) < 0 || (act.ms ?? 0) > delayMax))
        return `Answers can be delayed by 0 to ${delayMax} ms.`
      return this.#done(member.fault(act.fault, act.on, act.ms ?? 0))
    }
    if (act.act === 'leave') return this.#done(member.leave())
    if (!(member instanceof Candidate)) return 'A customer of the bakery has nothing to resign.'
    return this.#done(member.resign())
  }

  #done(_: unknown): null {
    return null
  }

  /** Ends all of it: timers, statements, rows. The first reason counts. Never rejects. */
  end(why: EndReason, detail: string | null = null): Promise<void> {
    this.#ending ??= this.#end(why, detail)
    return this.#ending
  }

  async #end(why: EndReason, detail: string | null): Promise<void> {
    this.#story?.end()
    const members = [...this.#members.values(), ...(this.#plain === undefined ? [] : [this.#plain])]
    for (const { executor, time } of members) {
      executor.cut(false)
      executor.delay(0)
      executor.swallowNext(false)
      time.resume()
    }
    await Promise.all(members.map((member) => member.end())).catch(this.#deps.failed)
    this.#stop.abort()
    await this.#deps.timer.sleep(settleMs)
    await this.#leases.close()
    await this.#lab.end()
    this.#isRemoved = await this.#removeRows()
    this.#time.crash()
    // By the monotonic clock: the wall clock may have been set back to before the beginning.
    this.#endedAtMs = this.facts.startedAtMs + this.journal.nowMs
    this.journal.note({ kind: 'ended', why, detail })
  }

  /** Of a run that has ended: tries again what Cassandra did not answer. @returns whether nothing is left */
  async removed(): Promise<boolean> {
    this.#isRemoved ||= await this.#removeRows()
    return this.#isRemoved
  }

  async #removeRows(): Promise<boolean> {
    const { session, storeOver, failed } = this.#deps
    try {
      return await removeRows({ session, storeOver, facts: this.facts })
    } catch (error) {
      failed(error)
      return false
    }
  }

  #of(id: string) {
    const { session, clock, timer, failed } = this.#deps
    return { id, session, clock, timer, failed, journal: this.journal }
  }

  /** The lowest number that no candidate has, or had and crashed; null: there is none. */
  #freeId(): string | null {
    const ids = Array.from({ length: candidatesMax }, (_, i) => `c${i + 1}`)
    const isFree = (id: string) => this.#members.get(id)?.hasLeft ?? true
    return ids.find(isFree) ?? ids.find((id) => this.#members.get(id)?.time.hasCrashed) ?? null
  }

  #join(): string {
    const id = this.#freeId()
    if (id === null) return ''
    const { name, ttlSeconds, maxClockSkewMs } = this.facts
    const before = this.#members.get(id)
    const member =
      this.#scenario?.isBakery === true
        ? new BakeryCustomer(this.#of(id), { name, ttlSeconds, maxClockSkewMs, customers: this.#customers })
        : new Candidate(this.#of(id), {
            name,
            ttlSeconds,
            maxClockSkewMs,
            counters: this.#counters,
            storeOver: this.#deps.storeOver,
            looksAtDeadline: () => this.#looksAtDeadline,
            isFair: () => this.#isFair,
          })
    if (before !== undefined) member.executor.inheritHeld(before.executor)
    this.#members.set(id, member)
    // One that left may still be releasing.
    void before?.end()
    member.join()
    return id
  }

  #checkDeadline(on: boolean): void {
    if (this.#looksAtDeadline === on) return
    this.#looksAtDeadline = on
    this.journal.note({ kind: 'deadline-check', on })
  }

  #release(mode: Entry<'act'>['mode'], by: string): void {
    const runTime = (serverMs: number) => this.#observer.runTime(serverMs)
    const { name, run } = this.facts
    forceRelease({ name, run, leases: this.#leases, journal: this.journal, runTime }, mode, by).catch(
      this.#deps.failed,
    )
  }

  #stage() {
    const candidate = (id: string) => this.#members.get(id) as Candidate
    return {
      ttlMs: this.facts.ttlSeconds * 1000,
      nowMs: () => this.journal.nowMs,
      join: () => this.#join(),
      fault: (id: string, fault: Entry<'fault'>['fault'], on: boolean, ms = 0) =>
        this.#members.get(id)?.fault(fault, on, ms),
      resign: (id: string) => candidate(id).resign(),
      release: (mode: Entry<'act'>['mode']) => this.#release(mode, 'the story'),
      deadlineCheck: (on: boolean) => this.#checkDeadline(on),
      waitInOrder: () => {
        this.#isFair = true
        for (const member of this.#members.values()) if (member instanceof Candidate) member.campaignAgain()
      },
      plain: (does: 'hold' | 'set-all' | 'release') => void this.#plainDoes(does).catch(this.#deps.failed),
    }
  }

  async #plainDoes(does: 'hold' | 'set-all' | 'release'): Promise<void> {
    const { name, ttlSeconds, run } = this.facts
    this.#plain ??= new PlainClient(this.#of('plain'), { name, ttlSeconds, run })
    if (does === 'hold') await this.#plain.hold()
    else if (does === 'set-all') this.#plain.setAll()
    else await this.#plain.release()
  }
}

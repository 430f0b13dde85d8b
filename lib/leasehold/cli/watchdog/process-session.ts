/**
 * The processes of a command: all processes of its session.
 *
 * Guarantees: on Linux a signal reaches every process of the leader's process group, and every process of the session that
 * a pass over /proc finds in another group (timeout(1) makes one), and no other process. Process numbers come again, but
 * the kernel does not reuse a session's number while one of its processes lives, and the start time identifies the
 * session's leader.
 * Does not guarantee: that one pass finds every process. One that forks and ends between the listing and the look at it
 * hides its child: therefore the newest are looked at first and once more, a group is asked for as a whole, and
 * `SessionEnd` takes many passes where a listed process had ended before it was looked at. Nor to reach a process that
 * began a session of its own (setsid(1), daemons, containers), or that runs as another user. On other systems than Linux a signal reaches the process group alone.
 */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessSession {
  /** The process number of the session's leader, which is also the session's and the group's. */
  readonly pid: number
  /** The leader's start time in /proc, in ticks since boot. null: there is no /proc. */
  readonly startedTicks: string | null
}

interface Stat {
  readonly state: string
  readonly group: number
  readonly session: number
  readonly startedTicks: string
}

/** Fields of `/proc/PID/stat`; the command's name, in parentheses, may contain anything. */
export function parseStat(text: string): Stat | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, , group, session] = fields
  const startedTicks = fields[19]
  if (state === undefined || startedTicks === undefined) return null
  return { state, group: Number(group), session: Number(session), startedTicks }
}

function statOf(pid: number | string): Stat | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return null
  }
}

export const sessionOf = (pid: number): ProcessSession => ({
  pid,
  startedTicks: statOf(pid)?.startedTicks ?? null,
})

/** Another process has the number: the kernel reuses it only when no process of the session is left. */
function isReused({ pid, startedTicks }: ProcessSession): boolean {
  const leader = startedTicks === null ? null : statOf(pid)
  return leader !== null && leader.startedTicks !== startedTicks
}

interface Pass {
  /** The groups of the session's processes, zombies left out. Empty: no process was found. */
  readonly groups: ReadonlySet<number>
  /**
   * No listed process that may be the session's had ended before it was looked at. A process that lives
   * during the whole listing is listed, and one that forks on and on is listed under one of its numbers: if this holds and no group was found, the session had ended.
   */
  readonly isWhole: boolean
}

/** One pass over all processes of the machine. */
function look({ pid, startedTicks }: ProcessSession): Pass {
  // Without /proc the group is all that can be asked for.
  if (startedTicks === null) return { groups: new Set(send(-pid, 0) ? [pid] : []), isWhole: true }
  const groups = new Set<number>()
  let isWhole = true
  // The newest first: a process that forks on and ends is overtaken before it does so again.
  for (const entry of pids().reverse()) {
    const stat = statOf(entry)
    const isDead = stat === null || /[ZX]/.test(stat.state)
    if (!isDead && stat.session === pid) groups.add(stat.group)
    // While the kernel removes a process, it names no session (0 or -1).
    if (isDead && (stat === null || stat.session === pid || stat.session <= 0)) isWhole = false
  }
  for (let chases = 0; !isWhole && groups.size === 0 && chases < chasesPerPass; chases++) {
    for (const entry of youngestPids()) {
      const stat = statOf(entry)
      if (stat?.session === pid && !/[ZX]/.test(stat.state)) groups.add(stat.group)
    }
  }
  return { groups, isWhole }
}

/**
 * A process that forks on and on has one of the newest numbers, which are known sooner than all numbers are listed. Between
 * two forks of the machine, one of these chases finds it.
 */
const chasesPerPass = 20

/** The newest numbers that the kernel gave to processes, or threads. */
function youngestPids(): number[] {
  try {
    const newest = Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1))
    return [newest, newest - 1, newest - 2]
  } catch {
    return []
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (thrown) {
    // ESRCH: the process has ended. EPERM: it lives, and runs as another user.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * The session whose leader has an environment variable. undefined: none, or there is no /proc. Between fork and exec a
 * process still has its parent's environment.
 * @param variable `NAME=value`
 */
export function sessionWith(variable: string): ProcessSession | undefined {
  for (const entry of pids()) {
    const stat = statOf(entry)
    if (stat === null || stat.session !== Number(entry) || /[ZX]/.test(stat.state)) continue
    if (environmentOf(entry).includes(variable)) return { pid: stat.session, startedTicks: stat.startedTicks }
  }
  return undefined
}

/** Empty for processes of other users, and for those that have just ended. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function pids(): string[] {
  try {
    return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  } catch {
    return []
  }
}

/** Whether a pass finds a process of the command. */
export function isAlive(session: ProcessSession): boolean {
  return !isReused(session) && look(session).groups.size > 0
}

/** Sends a signal to the command's process group, as a terminal does. */
export function signalGroup(session: ProcessSession, signal: NodeJS.Signals): void {
  if (!isReused(session)) send(-session.pid, signal)
}

/** Sends a signal to every process of the command. */
export function signalAll(session: ProcessSession, signal: NodeJS.Signals): void {
  if (isReused(session)) return
  // The leader's group first, in one call: none of its processes can fork between two signals, and no pass is waited for.
  send(-session.pid, signal)
  for (const group of look(session).groups) if (group !== session.pid) send(-group, signal)
}

/** So many whole passes in a row find no process, where the groups of the session are gone too. */
const emptyPasses = 3
/**
 * So many passes of any kind in a row find none. Needed where a group still has a process, which is a zombie that its parent
 * does not reap, and on machines where processes end during each pass.
 */
const doubtfulPasses = 50

/** Tells when all processes of a command have ended. To be asked again after some milliseconds. */
export class SessionEnd {
  readonly #session: ProcessSession
  /** In which a process of the session was found: each can be asked for as a whole. */
  readonly #groups: Set<number>
  /** Passes since a process was found. */
  #empty = 0
  #wholeAndEmpty = 0

  constructor(session: ProcessSession) {
    this.#session = session
    this.#groups = new Set([session.pid])
  }

  /** Looks once more. */
  isOver(): boolean {
    const session = this.#session
    const isOther = isReused(session)
    const { groups, isWhole } = isOther ? { groups: [], isWhole: true } : look(session)
    for (const group of groups) this.#groups.add(group)
    const isSeen = [...groups].length > 0
    this.#empty = isSeen ? 0 : this.#empty + 1
    this.#wholeAndEmpty = isSeen ? 0 : this.#wholeAndEmpty + (isWhole ? 1 : 0)
    const isGroupLeft = !isOther && [...this.#groups].some((group) => send(-group, 0))
    return this.#empty >= doubtfulPasses || (!isGroupLeft && this.#wholeAndEmpty >= emptyPasses)
  }

  /** The last look found a process. */
  get isSeen(): boolean {
    return this.#empty === 0
  }
}

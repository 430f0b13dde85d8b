/**
 * The processes of a command: all processes of its session.
 *
 * Guarantees: on Linux a signal reaches every process of the leader's process group, and every process of the session that
 * a pass over /proc finds in another group (timeout(1) makes one), and no other process. Process numbers come again, but
 * the kernel does not reuse a session's number while one of its processes lives, and the start time identifies the
 * session's leader.
 * Does not guarantee: that one pass finds every process. One that forks and ends between the listing and the look at it
 * hides its child: therefore the newest are looked at first, a group is asked for as a whole, and `SessionEnd` takes several
 * passes. Nor to reach a process that began a session of its own (setsid(1), daemons, containers), or that runs as another
 * user. On other systems than Linux a signal reaches the process group alone.
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

/** The processes of the session that one pass finds, zombies left out. */
function members({ pid, startedTicks }: ProcessSession): { pid: number; group: number }[] {
  // Without /proc the group is all that can be asked for.
  if (startedTicks === null) return send(-pid, 0) ? [{ pid, group: pid }] : []
  // The newest first: a process that forks on and ends is overtaken before it does so again.
  return pids()
    .reverse()
    .flatMap((entry) => {
      const stat = statOf(entry)
      return stat?.session === pid && !/[ZX]/.test(stat.state)
        ? [{ pid: Number(entry), group: stat.group }]
        : []
    })
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
  return !isReused(session) && members(session).length > 0
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
  const groups = new Set(members(session).map(({ group }) => group))
  for (const group of groups) if (group !== session.pid) send(-group, signal)
}

/** So many passes in a row find no process, where the groups of the session are gone too. */
const emptyPasses = 3
/** So many where a group still has one: a zombie that its parent does not reap. */
const zombiePasses = 50

/** Tells when all processes of a command have ended. To be asked again after some milliseconds. */
export class SessionEnd {
  readonly #session: ProcessSession
  /** In which a process of the session was found: each can be asked for as a whole. */
  readonly #groups: Set<number>
  #empty = 0

  constructor(session: ProcessSession) {
    this.#session = session
    this.#groups = new Set([session.pid])
  }

  /** Looks once more. */
  isOver(): boolean {
    const session = this.#session
    const isOther = isReused(session)
    const found = isOther ? [] : members(session)
    for (const { group } of found) this.#groups.add(group)
    this.#empty = found.length > 0 ? 0 : this.#empty + 1
    const isGroupLeft = !isOther && [...this.#groups].some((group) => send(-group, 0))
    return this.#empty >= (isGroupLeft ? zombiePasses : emptyPasses)
  }

  /** The last look found a process. */
  get isSeen(): boolean {
    return this.#empty === 0
  }
}

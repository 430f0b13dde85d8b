/**
 * The processes of a command: all processes of its session.
 *
 * Guarantees: on Linux a signal reaches every process of the session, also one with a process group of its own
 * (timeout(1) makes one), and no other process. Process numbers come again, but the kernel does not reuse a session's
 * number while one of its processes lives, and the start time identifies the session's leader.
 * Does not guarantee: to reach a process that began a session of its own (setsid(1), daemons, containers). On other
 * systems than Linux a signal reaches the process group alone.
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

/** The processes of the session, zombies left out. */
function members({ pid, startedTicks }: ProcessSession): { pid: number; group: number }[] {
  const leader = statOf(pid)
  // Another process has the number: the kernel reuses it only when no process of the session is left.
  if (leader !== null && leader.startedTicks !== startedTicks) return []
  return pids().flatMap((entry) => {
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

/** Whether any process of the command lives. */
export function isAlive(session: ProcessSession): boolean {
  return session.startedTicks === null ? send(-session.pid, 0) : members(session).length > 0
}

/** Sends a signal to the command's process group, as a terminal does. */
export function signalGroup(session: ProcessSession, signal: NodeJS.Signals): void {
  if (isAlive(session)) send(-session.pid, signal)
}

/** Sends a signal to every process of the command. */
export function signalAll(session: ProcessSession, signal: NodeJS.Signals): void {
  if (session.startedTicks === null) return void send(-session.pid, signal)
  const there = members(session)
  if (there.length === 0) return
  // First the whole group in one call, so that none of its processes can fork between two signals.
  send(-session.pid, signal)
  for (const { pid, group } of there) if (group !== session.pid) send(pid, signal)
}

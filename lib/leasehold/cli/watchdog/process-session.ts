/**
 * The processes of a command: those of the session that it was started in.
 *
 * Guarantees: on Linux a signal reaches every process of the session, also those that made a process group of their
 * own (timeout(1) does), and no other process, although process numbers come again: the kernel does not give
 * away a session's number as long as one of its processes is there, and the leader is known by its start time.
 * Does not guarantee: to reach a process that began a session of its own (setsid(1), daemons, containers). Elsewhere
 * than on Linux only the process group is reached.
 */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessSession {
  /** The leader's process number, and so the session's and the group's. */
  readonly pid: number
  /** When the leader was started, in ticks since boot, as /proc has it. null: there is no /proc. */
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
  // Another process has the number by now: it was free, so that no process of the session was left.
  if (leader !== null && leader.startedTicks !== startedTicks) return []
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
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
    // No such process: it ended before. Not permitted: it runs as another user, and is there.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether any process of the command is still there. */
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
  // The group at once first, so that nothing can be forked between two of them.
  send(-session.pid, signal)
  for (const { pid, group } of there) if (group !== session.pid) send(pid, signal)
}

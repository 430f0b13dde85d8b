/**
 * The watchdog: a small process in a session of its own, which starts the command and stops it in time.
 *
 * Guarantees: the command, with all processes of its session, is gone before the last deadline that this process
 * received, whether `leasehold` runs, is stopped or is dead; and soon after `leasehold` has died. The watchdog is the
 * command's parent, so that no other process gets the command's number before the watchdog knows of its end.
 * Does not guarantee: anything once the watchdog itself was killed; then `leasehold` stops the command. If SIGKILL ends
 * both at once, the command goes on; if it ends one while the other is stopped, the command goes on until that one continues.
 * Assumes: its timers fire within `killLeadMs`. After a suspend it wakes up with the command, reads the wall clock, and
 * kills at once.
 *
 * Its messages use file descriptor 3; the other three are the command's. It imports next to nothing: it has to be up
 * before `leasehold` acquires the lease.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { type ProcessSession, SessionEnd, sessionOf, signalAll, signalGroup } from './process-session.ts'
import { StopPlan, type StopReason } from './stop-plan.ts'
import { machineClock } from './system-clock.ts'
import { messageReader, type Order, type Report } from './watchdog-protocol.ts'

/** How often the watchdog reads both clocks: a timer alone stands still while the machine is suspended. */
const checkEveryMs = 100
/** The pause between two checks of a command that is being stopped. */
const againAfterMs = 20
/** The pause between two looks for processes of a command that has ended. */
const lookAgainMs = 5

process.title = 'leasehold-watchdog'
// A signal to a whole service reaches the watchdog too, which must end after the command.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGTSTP'] as const)
  process.on(signal, () => {})

const parent = new Socket({ fd: 3, readable: true, writable: true })
const send = (report: Report) => parent.write(`${JSON.stringify(report)}\n`)
let plan: StopPlan | undefined
let session: ProcessSession | undefined
let end: SessionEnd | undefined
/** `stopped`: null if the command ended by itself, even when the watchdog stopped its background processes. */
let ended: { code: number | null; signal: NodeJS.Signals | null; stopped: StopReason | null } | undefined
let terminated = false
let orphaned = false
let timer: NodeJS.Timeout | undefined

/** Sends the signals that are due, until the command and its background processes are gone. */
function check(): void {
  clearTimeout(timer)
  if (plan === undefined || session === undefined || end === undefined) return
  const now = machineClock.now()
  if (ended !== undefined) {
    if (end.isOver()) {
      finish(ended)
      return
    }
    // The command has ended, and `leasehold` will release the lease: background processes must not go on.
    if (end.isSeen) plan.stop(now, 'requested')
  }
  const everyMs = ended !== undefined && !end.isSeen ? lookAgainMs : checkEveryMs
  const due = plan.due(now)
  if (due.kind === 'wait') {
    timer = setTimeout(check, Math.min(due.ms, everyMs))
    return
  }
  if (due.kind === 'kill') signalAll(session, 'SIGKILL')
  else if (!terminated) {
    terminated = true
    signalAll(session, 'SIGTERM')
    // A stopped process receives SIGTERM only when it continues.
    signalAll(session, 'SIGCONT')
    if (ended === undefined) send({ kind: 'stopping', reason: plan.stopping ?? 'requested' })
  }
  timer = setTimeout(check, againAfterMs)
}

function finish(how: NonNullable<typeof ended>): void {
  session = undefined
  if (orphaned) process.exit(0)
  send({ kind: 'ended', ...how })
}

function start({ command, env, limits, graceMs }: Order & { kind: 'start' }): void {
  plan = new StopPlan(limits, graceMs)
  // The deadline has passed since: do not start the command.
  if (plan.due(machineClock.now()).kind !== 'wait') return void send({ kind: 'not-started', why: 'EXPIRED' })
  const [file = '', ...args] = command
  const refused = (thrown: unknown) => {
    const { code, message } = thrown as NodeJS.ErrnoException
    send({ kind: 'not-started', why: code ?? message })
  }
  let child: ChildProcess
  try {
    child = spawn(file, args, { detached: true, stdio: 'inherit', env: env as NodeJS.ProcessEnv })
  } catch (thrown) {
    refused(thrown)
    return
  }
  child.on('error', refused)
  if (child.pid === undefined) return
  session = sessionOf(child.pid)
  end = new SessionEnd(session)
  send({ kind: 'started', ...session })
  child.on('exit', (code, signal) => {
    ended = { code, signal, stopped: plan?.stopping ?? null }
    check()
  })
  check()
}

function handle(order: Order): void {
  if (order.kind === 'start') start(order)
  else if (order.kind === 'extend') plan?.extend(order.limits)
  else if (order.kind === 'signal') {
    if (session !== undefined && ended === undefined) signalGroup(session, order.signal)
  } else if (order.kind === 'stop') {
    plan?.stop(machineClock.now(), 'requested')
    check()
  } else orphan()
}

/** `leasehold` has died, or has no more orders: the command is stopped, and then this process ends. */
function orphan(): void {
  if (orphaned) return
  orphaned = true
  if (session === undefined) process.exit(0)
  plan?.stop(machineClock.now(), 'orphaned')
  check()
}

parent
  .setEncoding('utf8')
  .on('data', messageReader(handle))
  .on('end', orphan)
  .on('close', orphan)
  .on('error', orphan)
send({ kind: 'ready' })

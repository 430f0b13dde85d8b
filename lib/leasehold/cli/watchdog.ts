/**
 * The watchdog: a small process in a session of its own, which starts the command and stops it in time.
 *
 * Guarantees: the command, with all of its session, is gone before the last deadline that this process was told of,
 * whether `leasehold` is alive, stopped or dead; and soon after `leasehold` has died. It is the command's parent, so
 * that the command's number cannot be given to anybody else before this process knows of its end.
 * Does not guarantee: anything once it was killed itself; `leasehold` stops the command then. Killed both at once, with
 * SIGKILL, they leave the command running.
 * Assumes: its timers fire within `killLeadMs`. After a suspend of the machine it wakes up with everything else, sees
 * the wall clock, and kills at once.
 *
 * It is talked to on file descriptor 3; the other three are the command's. It imports next to nothing: it has to be
 * up before the lease is.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { isAlive, type ProcessSession, sessionOf, signalAll, signalGroup } from './process-session.ts'
import { StopPlan, type StopReason } from './stop-plan.ts'
import { machineClock } from './system-clock.ts'
import { lines, type Order, type Report } from './watchdog-words.ts'

/** How often both clocks are looked at: timers stand still while the machine is suspended. */
const lookEveryMs = 100
/** Between two looks at what is left of a command that is being stopped. */
const againAfterMs = 20

process.title = 'leasehold-watchdog'
// Whoever signals a whole service signals this process too; it leaves when the command has.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGTSTP'] as const)
  process.on(signal, () => {})

const parent = new Socket({ fd: 3, readable: true, writable: true })
const say = (report: Report) => parent.write(`${JSON.stringify(report)}\n`)
let plan: StopPlan | undefined
let session: ProcessSession | undefined
/** `stopped`: what is cleared away after the command's own end does not count. */
let ended: { code: number | null; signal: NodeJS.Signals | null; stopped: StopReason | null } | undefined
let terminated = false
let orphaned = false
let timer: NodeJS.Timeout | undefined

/** Does what is due, until the command and all that it started are gone. */
function look(): void {
  clearTimeout(timer)
  if (plan === undefined || session === undefined) return
  const now = machineClock.now()
  // The leader is gone, and its lease will be: nothing that it left in the background may go on.
  if (ended !== undefined && isAlive(session)) plan.stop(now, 'told')
  if (ended !== undefined && !isAlive(session)) {
    leave(ended)
    return
  }
  const due = plan.due(now)
  if (due.kind === 'wait') {
    timer = setTimeout(look, Math.min(due.ms, lookEveryMs))
    return
  }
  if (due.kind === 'kill') signalAll(session, 'SIGKILL')
  else if (!terminated) {
    terminated = true
    signalAll(session, 'SIGTERM')
    // A process that was stopped hears it when it goes on.
    signalAll(session, 'SIGCONT')
    if (ended === undefined) say({ is: 'stopping', reason: plan.stopping ?? 'told' })
  }
  timer = setTimeout(look, againAfterMs)
}

function leave(how: NonNullable<typeof ended>): void {
  session = undefined
  if (orphaned) process.exit(0)
  say({ is: 'ended', ...how })
}

function start({ command, env, limits, graceMs }: Order & { do: 'start' }): void {
  plan = new StopPlan(limits, graceMs)
  // The lease has run out meanwhile: it is never started.
  if (plan.due(machineClock.now()).kind !== 'wait') return void say({ is: 'not-started', why: 'EXPIRED' })
  const [file = '', ...args] = command
  const refused = (thrown: unknown) => {
    const { code, message } = thrown as NodeJS.ErrnoException
    say({ is: 'not-started', why: code ?? message })
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
  say({ is: 'started', ...session })
  child.on('exit', (code, signal) => {
    ended = { code, signal, stopped: plan?.stopping ?? null }
    look()
  })
  look()
}

function obey(order: Order): void {
  if (order.do === 'start') start(order)
  else if (order.do === 'move-on') plan?.moveOn(order.limits)
  else if (order.do === 'signal') {
    if (session !== undefined && ended === undefined) signalGroup(session, order.signal)
  } else if (order.do === 'stop') {
    plan?.stop(machineClock.now(), 'told')
    look()
  } else process.exit(0)
}

function orphan(): void {
  if (orphaned) return
  orphaned = true
  if (session === undefined) process.exit(0)
  plan?.stop(machineClock.now(), 'orphaned')
  look()
}

parent.setEncoding('utf8').on('data', lines(obey)).on('end', orphan).on('close', orphan).on('error', orphan)
say({ is: 'ready' })

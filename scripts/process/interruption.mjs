import { readFileSync } from 'node:fs'

/**
 * The signals that end a command: Ctrl-C, SIGTERM, SIGHUP (its terminal was closed), or the death of the npm that runs
 * it. The first time it ends in order; the second time at once (children die with it, see the `exit` listeners).
 */

/** One Ctrl-C can arrive twice: from the terminal, and passed on by npm. */
const SAME_WISH_MS = 700
const FORCED_EXIT_CODE = 130

let endsByItself = false
/** Whether this command ends in order when it is interrupted: the end of its reader must then not end it. */
export const endsInOrder = () => endsByItself

/**
 * @param {(reason: string) => void} onFirst
 * @param {{ now?: () => number, exit?: (code: number) => void, on?: typeof process.on, lookEveryMs?: number }} [inject]
 */
export function onInterruption(
  onFirst,
  { now = () => performance.now(), exit = process.exit, on, lookEveryMs = 1_000 } = {},
) {
  endsByItself = true
  let firstMs = Number.NaN
  const listen = on ?? process.on.bind(process)
  /** @param {string} reason */
  const wish = (reason) => {
    if (Number.isNaN(firstMs)) {
      firstMs = now()
      onFirst(reason)
    } else if (reason !== 'SIGHUP' && now() - firstMs > SAME_WISH_MS) exit(FORCED_EXIT_CODE)
  }
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    listen(signal, () => wish(signal))

  // A terminal or a pipe that is gone must not end us in mid-air: after `npm start | tee log`, Ctrl-C ends `tee` as well.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return watchRunner(() => wish('the end of npm'), lookEveryMs)
}

/**
 * `kill -9` on npm reaches no child of npm. npm starts us through a shell, which may stay between us. What npm itself
 * was started from is not watched: after `npm start &` and `exit`, npm goes on under another parent.
 *
 * @param {() => void} onGone
 * @param {number} everyMs
 */
function watchRunner(onGone, everyMs) {
  if (!process.env.npm_lifecycle_event || process.platform !== 'linux') return
  const parent = process.ppid
  const npm = isShell(parent) ? parentOf(parent) : undefined
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
    clearInterval(timer)
    onGone()
  }, everyMs)
  timer.unref()
}

/** @param {number} pid */
function isShell(pid) {
  try {
    return /^(sh|dash|bash|ash|ksh|zsh)$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim())
  } catch {
    return false
  }
}

/** @param {number} pid */
function parentOf(pid) {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

/**
 * The named steps of a command: each with progress while it runs, and its time when it is done.
 *
 * On a terminal the running steps stand as live lines below everything else. Without one (a log, a pipe) a step has one
 * line, when it ends; a longer one has a line each 30 s besides.
 */

const PLAIN_EVERY_MS = 30_000
const REDRAW_MS = 120
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** @typedef {(text: string) => void} Report says how far a step is; its last words stay in the step's closing line */
/** @typedef {{ name: string, text: string, beganMs: number, saidMs: number }} Running */

/** @param {{ out?: NodeJS.WriteStream, live?: boolean, color?: boolean }} [options] */
export function createSteps({ out = process.stdout, live = Boolean(out.isTTY), color } = {}) {
  const paint = color ?? (live && !process.env.NO_COLOR)
  /** @type {(code: string, text: string) => string} */
  const tint = (code, text) => (paint ? `\x1b[${code}m${text}\x1b[0m` : text)
  /** @type {Set<Running>} */
  const running = new Set()
  let drawn = 0
  let frame = 0
  /** @type {NodeJS.Timeout | undefined} */
  let timer

  /** Ctrl-C ends the reader of `npm start | tee log` as well: what ends afterwards is said on stderr. @param {string} text */
  const write = (text) => {
    out.write(text, (error) => {
      if (error) process.stderr.write(text)
    })
  }

  const clear = () => {
    if (drawn > 0) write(`\x1b[${drawn}A\x1b[0J`)
    drawn = 0
  }

  const draw = () => {
    if (!live) return
    const width = (out.columns || 80) - 1
    const lines = [...running].map((step) => {
      const text = `${SPINNER[frame % SPINNER.length]} ${step.name}${step.text ? `: ${step.text}` : ''} `
      const time = seconds(performance.now() - step.beganMs)
      return text.slice(0, Math.max(0, width - time.length)) + time
    })
    if (lines.length > 0) write(`${lines.join('\n')}\n`)
    drawn = lines.length
  }

  /** Prints a line above the live ones. @param {string} line */
  const print = (line) => {
    clear()
    write(`${line}\n`)
    draw()
  }

  const tick = () => {
    frame += 1
    if (live) {
      clear()
      draw()
      return
    }
    const now = performance.now()
    for (const step of running) {
      if (now - step.saidMs < PLAIN_EVERY_MS) continue
      step.saidMs = now
      print(`… ${step.name}${step.text ? `: ${step.text}` : ''} (${seconds(now - step.beganMs)})`)
    }
  }

  /**
   * @template T
   * @param {string} name
   * @param {(report: Report) => T | Promise<T>} work
   * @param {AbortSignal} [signal] of what ends the step for a reason of another one
   * @returns {Promise<T>}
   */
  const step = async (name, work, signal) => {
    /** @type {Running} */
    const me = { name, text: '', beganMs: performance.now(), saidMs: performance.now() }
    running.add(me)
    timer ??= setInterval(tick, REDRAW_MS)
    let mark = tint('31', '✗')
    try {
      const result = await work((text) => {
        me.text = text
      })
      mark = tint('32', '✓')
      return result
    } catch (error) {
      // A step that was ended has not failed: the mark of a failure leads to the one that did.
      if (signal?.aborted) mark = '–'
      throw error
    } finally {
      running.delete(me)
      if (running.size === 0) {
        clearInterval(timer)
        timer = undefined
      }
      const text = me.text ? `: ${me.text}` : ''
      print(`${mark} ${name}${text} ${tint('2', `(${seconds(performance.now() - me.beganMs)})`)}`)
    }
  }

  return { step, print, tint }
}

/** @param {number} ms */
export function seconds(ms) {
  return ms < 100_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

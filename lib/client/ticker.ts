/**
 * One ticker for the whole page: ten times a second each listener writes the text that time has changed, straight into
 * the document. It stands still without listeners and while the page is hidden.
 */
export const tickMs = 100

const writers = new Set<(nowMs: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

const tick = () => {
  const nowMs = performance.now()
  for (const write of writers) write(nowMs)
}

function turn(): void {
  const run = writers.size > 0 && !document.hidden
  if (run && timer === undefined) {
    tick()
    timer = setInterval(tick, tickMs)
  } else if (!run && timer !== undefined) {
    clearInterval(timer)
    timer = undefined
  }
}

/** Be called ten times a second with `performance.now()`, and once now. */
export function onTick(write: (nowMs: number) => void): () => void {
  if (writers.size === 0) document.addEventListener('visibilitychange', turn)
  writers.add(write)
  write(performance.now())
  turn()
  return () => {
    writers.delete(write)
    if (writers.size === 0) document.removeEventListener('visibilitychange', turn)
    turn()
  }
}

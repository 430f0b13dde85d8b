/** A page that is hidden for longer reads no more: a browser keeps no more than six connections to one server. */
export const sleepAfterMs = 15_000

/** What has a stream of its own. */
interface Reader {
  wake(): void
  sleep(): void
}

/**
 * Keeps `reader` awake while the page is seen, and for a while after that.
 * @returns ends it; the reader sleeps then
 */
export function whileSeen(reader: Reader): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const turn = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(() => reader.sleep(), sleepAfterMs)
    else reader.wake()
  }
  document.addEventListener('visibilitychange', turn)
  reader.wake()
  // A tab that was opened in the background is hidden already, and no event says so. It reads first, to have something to show.
  if (document.hidden) turn()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', turn)
    reader.sleep()
  }
}

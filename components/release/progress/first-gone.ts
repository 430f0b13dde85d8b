/** When this tab first saw a lease without the holder that was asked: a page that is loaded again keeps that time. */
export function firstGone(releaseId: string, at: string): string {
  const key = `leasehold.first-gone.${releaseId}`
  try {
    const kept = sessionStorage.getItem(key)
    if (kept !== null) return kept
    sessionStorage.setItem(key, at)
  } catch {
    // Without storage each page has a time of its own.
  }
  return at
}

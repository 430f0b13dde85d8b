/** When this tab first saw a lease free after a request to its holder: a page that is loaded again keeps that time. */
export function firstFree(releaseId: string, at: string): string {
  const key = `leasehold.first-free.${releaseId}`
  try {
    const kept = sessionStorage.getItem(key)
    if (kept !== null) return kept
    sessionStorage.setItem(key, at)
  } catch {
    // Without storage each page has a time of its own.
  }
  return at
}

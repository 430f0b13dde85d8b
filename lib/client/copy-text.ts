/** Why this page cannot copy at all; null: it may try. Browsers hide the clipboard from pages of plain http. */
export const noClipboard = (): string | null =>
  navigator.clipboard === undefined ? 'The browser allows copying on https only.' : null

/** Copies a text. Why it was not copied; null: it was. */
export async function copyText(text: string): Promise<string | null> {
  const problem = noClipboard()
  if (problem !== null) return problem
  try {
    await navigator.clipboard.writeText(text)
    return null
  } catch {
    return 'The browser did not allow copying.'
  }
}

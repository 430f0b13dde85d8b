/** What is asked of the element that has the focus. */
interface Focused {
  readonly tagName: string
  readonly id: string
  closest(selector: string): unknown
}

interface Around {
  /** A dialog or a menu lies over the page. */
  covered: boolean
  /** Shift and an arrow select text. */
  shift: boolean
}

export const isAmongRows = (focused: Focused | null): boolean => focused?.closest('.rows') != null

/**
 * Whether the arrows move through the rows: among them, and from the page itself, which has the focus until something is
 * chosen. On a control elsewhere they scroll the page.
 */
export const arrowsMove = (focused: Focused | null, { covered, shift }: Around): boolean =>
  isAmongRows(focused) ||
  (focused !== null && !covered && !shift && (focused.tagName === 'BODY' || focused.id === 'main'))

/** What is asked of the element that has the focus. */
interface Focused {
  readonly tagName: string
  readonly id: string
  closest(selector: string): unknown
}

export const isAmongRows = (focused: Focused | null): boolean => focused?.closest('.rows') != null

/** Whether a row that comes late may take the focus: it is among the rows, or the row that had it has left them. */
export const isLeftToRows = (focused: Focused | null): boolean =>
  focused === null || focused.tagName === 'BODY' || isAmongRows(focused)

/**
 * Whether the arrows move through the rows: among them, from the page itself, which has the focus until something is
 * chosen, and from a plain button, which keeps the focus after a press. On a link they scroll the page, and a button that opens a
 * menu, or stands in a group, has them for itself. `shift`: with Shift, an arrow selects text.
 */
export const arrowsMove = (focused: Focused | null, shift: boolean): boolean =>
  isAmongRows(focused) ||
  (focused !== null &&
    !shift &&
    (focused.tagName === 'BODY' || focused.id === 'main' || isPlainButton(focused)))

const isPlainButton = (focused: Focused): boolean =>
  focused.tagName === 'BUTTON' &&
  focused.closest('[aria-haspopup], [role=radiogroup], [role=tablist], [role=toolbar]') === null

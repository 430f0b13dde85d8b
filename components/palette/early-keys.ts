type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Keys of the page behind, or of the button that has the focus. */
const ofPage = new Set(['Enter', 'ArrowDown', 'ArrowUp', 'Home', 'End'])

/**
 * The text of the palette after a key that was pressed before its field had the focus, while its code loads for example.
 * `close`: the palette is not wanted any more. null: the key is the browser's.
 */
export function afterEarlyKey(
  text: string,
  { key, ctrlKey, metaKey, altKey }: Pressed,
): string | 'close' | null {
  if (ctrlKey || metaKey || altKey) return null
  if (key === 'Escape') return 'close'
  if (key === 'Backspace') return text.slice(0, -1)
  if (ofPage.has(key)) return text
  return [...key].length === 1 ? text + key : null
}

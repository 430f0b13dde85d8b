/** An input says with `data-input` whether something is missing in it. */
export type InputMark = 'missing' | 'done'

/** A small screen is not covered by its keyboard before the reader asks for it. */
const focusAtOnce = (): boolean => matchMedia('(pointer: fine)').matches

/**
 * Where a step of a dialog goes on: the first input in which something is missing, or the last one when nothing is. Never
 * the button that acts: a second press of Enter would carry it out. null: the step has no inputs.
 */
export function nextInput(within: ParentNode): HTMLElement | null {
  const inputs = [...within.querySelectorAll<HTMLElement>('[data-input]')]
  return inputs.find(({ dataset }) => dataset.input === 'missing') ?? inputs.at(-1) ?? null
}

/** Puts the focus where a dialog goes on, or on the dialog itself. */
export function focusNext(dialog: HTMLElement): void {
  const next = focusAtOnce() ? nextInput(dialog) : null
  ;(next ?? dialog).focus({ preventScroll: true })
}

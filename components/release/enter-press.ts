/** For how long a second Enter may still be meant for the step before, in milliseconds. */
const secondPressMs = 1_000

interface EnterFacts {
  /** The key is held down. */
  repeat: boolean
  /** It ends the choice of a character, as of a Japanese text. */
  isComposing: boolean
  /** The key or click before was an Enter as well: a confirmed password, a new plan. */
  afterEnter: boolean
  /** Since the field took the focus. */
  sinceFocusMs: number
  /** What the form allows. `go-on`: something is missing first. */
  can: EnterPress
}

export type EnterPress = 'act' | 'go-on' | 'nothing'

/** What an Enter in a field of the release does. It never acts by a press that was made before the field was there. */
export function enterPress({ repeat, isComposing, afterEnter, sinceFocusMs, can }: EnterFacts): EnterPress {
  if (repeat || isComposing) return 'nothing'
  return afterEnter && sinceFocusMs < secondPressMs ? 'nothing' : can
}

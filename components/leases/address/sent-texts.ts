/**
 * The texts that a field has sent to the URL. The URL may come back after more was typed: its answer to an earlier letter
 * must not eat the later ones.
 */
export class SentTexts {
  #last: string
  #underWay: string[] = []

  /** @param text what the URL has at the beginning */
  constructor(text: string) {
    this.#last = text
  }

  /** @returns whether the text is new, and so has to be sent */
  send(text: string): boolean {
    if (text === this.#last) return false
    this.#last = text
    this.#underWay.push(text)
    return true
  }

  /**
   * The URL has this text now.
   * @returns whether something else than the field put it there: back, forward, a link, “show all”
   */
  isForeign(text: string): boolean {
    const at = this.#underWay.indexOf(text)
    if (at !== -1) this.#underWay.splice(0, at + 1)
    if (at !== -1 || text === this.#last) return false
    this.#underWay = []
    this.#last = text
    return true
  }
}

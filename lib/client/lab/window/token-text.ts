/** Microseconds: within the 15 minutes of a run the last nine digits grow with each term. */
const shownDigits = 9
/** No line ends behind the dots. */
const wordJoiner = '\u2060'

/** A fencing token, as it stands everywhere in the lab: `…345678901`. */
export const tokenText = (token: string): string =>
  token.length <= shownDigits ? token : `…${wordJoiner}${token.slice(-shownDigits)}`

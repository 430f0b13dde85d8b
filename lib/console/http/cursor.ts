import { HttpProblem } from './http-problem.ts'

/** An opaque place in a list: the token of the last row of the page before. */
export const cursorAfter = (token: string): string => Buffer.from(`1.${token}`).toString('base64url')

/** @throws HttpProblem on anything that this server did not hand out */
export function tokenOfCursor(cursor: string): string {
  const token = /^1\.(-?\d{1,19})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (token === undefined || BigInt.asIntN(64, BigInt(token)) !== BigInt(token))
    throw new HttpProblem('bad-request', 'This list did not issue the cursor. Start again without it.')
  return token
}

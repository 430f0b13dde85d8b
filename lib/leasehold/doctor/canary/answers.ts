import { isLeaseholdError } from '../../lease/index.ts'

/** What a table did that no lease table may do. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction'
  /** Two owners could hold one lease: nothing may be written until this is mended. */
  readonly isUnsafe: boolean
  constructor(message: string, { isUnsafe }: { isUnsafe: boolean }) {
    super(message)
    this.isUnsafe = isUnsafe
  }
}

/** This try proves nothing: an answer was lost, or came too late. Another try, under a fresh name, may. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/**
 * The answer of one statement. A lost answer makes the whole try inconclusive: that statement may be applied at any time,
 * and what the table shows afterwards accuses no server.
 */
export async function answered<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (thrown) {
    if (isLeaseholdError(thrown, 'statement-unknown') || isLeaseholdError(thrown, 'store-unavailable'))
      throw new Inconclusive(thrown.message, { cause: thrown })
    throw thrown
  }
}

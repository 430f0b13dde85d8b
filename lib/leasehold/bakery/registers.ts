/**
 * What the bakery asks of a store: two arrays of registers a lock, each register written by one customer alone.
 *
 * A read that begins after a write was acknowledged must see it, or a later one of the same register. Of two writes
 * to a register the one with the greater timestamp counts, in whatever order they land; a clearing is a write.
 *
 * A write that throws `StoreUnavailableError` or `StatementUnknownError` may have landed, or land later: the bakery
 * makes no difference between the two. `StoreRefusedError`: no retry helps.
 */
export interface BakeryRegisters {
  /** `choosing[customer] := true`, for `ttlSeconds`. */
  setChoosing(register: Register, ttlSeconds: number): Promise<void>
  /** `choosing[customer] := false`: the row is deleted. */
  clearChoosing(register: Register): Promise<void>
  /** `number[customer] := number`, for `ttlSeconds`. */
  setNumber(register: Register, number: bigint, ttlSeconds: number): Promise<void>
  /** `number[customer] := 0`: the row is deleted. */
  clearNumber(register: Register): Promise<void>
  /** Everybody who is choosing a number of this lock. */
  choosing(name: string): Promise<string[]>
  /** Everybody who has a number of this lock, in no order. */
  numbers(name: string): Promise<Numbered[]>
}

/** One register of a lock, and the time of the write: microseconds, growing from write to write of one customer. */
export interface Register {
  readonly name: string
  readonly customer: string
  readonly timestampMicros: bigint
}

export interface Numbered {
  readonly customer: string
  readonly number: bigint
}

/** Who is served first: the smaller number; among equal ones the smaller process id, letter by letter. */
export const goesBefore = (one: Numbered, other: Numbered): boolean =>
  one.number === other.number ? one.customer < other.customer : one.number < other.number

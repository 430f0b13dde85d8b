/**
 * What the bakery needs of a store: for each lock two arrays of registers. One customer alone writes a register.
 *
 * A read that begins after a write was acknowledged must see it, or a later one of the same register. Of two writes
 * to a register the one with the greater timestamp counts, in whatever order they land; a clearing is a write.
 *
 * A write that throws `StoreUnavailableError` or `StatementUnknownError` may have landed, or may land later: the bakery
 * treats both alike. `StoreRefusedError`: no retry helps.
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
  /** The customers that are choosing a number of this lock. */
  choosing(name: string): Promise<string[]>
  /** The customers that have a number of this lock, in no order. */
  numbers(name: string): Promise<Numbered[]>
}

/** One register of a lock, and the timestamp of the write: microseconds, growing from write to write of a customer. */
export interface Register {
  readonly name: string
  readonly customer: string
  readonly timestampMicros: bigint
}

export interface Numbered {
  readonly customer: string
  readonly number: bigint
}

/** The order of service: by number, and among equal numbers by process id, letter by letter. */
export const goesBefore = (one: Numbered, other: Numbered): boolean =>
  one.number === other.number ? one.customer < other.customer : one.number < other.number

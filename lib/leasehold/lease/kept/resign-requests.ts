/** Somebody asks a holder to give its lease up. Immutable. */
export interface ResignRequest {
  /** Made by who asks, used once: a request that is sent again is the same request. */
  readonly id: string
  /** The lease. */
  readonly name: string
  /** Whom it is addressed to: this holder, in this tenure, and nobody after it. */
  readonly owner: string
  /** Who asks. */
  readonly requestedBy: string
  readonly reason: string
  /** By the clock of who asks, in milliseconds since the epoch. For showing. */
  readonly requestedAtMs: number
}

/**
 * What asking asks of a store. Two implementations pass the same contract (`testing/resign-contract.ts`).
 *
 * Guarantees: a request that was answered is found by every later `of`, for a day. Asked twice, it is one.
 * Does not guarantee: that the holder hears of it. One that is cut off, that is not written with this library, or was
 * made without `resignRequests`, does not.
 */
export interface ResignRequests {
  /**
   * Asks once, or again with the same id after an error.
   * @throws StoreUnavailableError: it may have been written, ask again; StoreRefusedError
   */
  ask(request: ResignRequest): Promise<void>
  /**
   * Of one lease, in the order of their owners and ids.
   * @param owner those to this one alone; left out: to whichever holders, the first 1,000 at least
   * @throws StoreUnavailableError, StoreRefusedError
   */
  of(name: string, owner?: string): Promise<ResignRequest[]>
}

/** Asked of a request: it is addressed to this very tenure. */
export const isFor = (request: ResignRequest, held: { name: string; owner: string }): boolean =>
  request.name === held.name && request.owner === held.owner

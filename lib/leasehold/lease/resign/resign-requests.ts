/** An operator's request that a holder give its lease up. */
export interface ResignRequest {
  /** The caller makes it, and uses it for one request. Sent again with the same id, it is still one request, of the later time. */
  readonly id: string
  /** The lease. */
  readonly name: string
  /** The holder that the request addresses, in this tenure: no later holder, and no later tenure. */
  readonly owner: string
  /** The operator's name, for people. */
  readonly requestedBy: string
  readonly reason: string
  /** When it was last asked, by the caller's clock, in milliseconds since the epoch. For showing. */
  readonly requestedAtMs: number
}

/**
 * A store of requests to resign. The stores in Cassandra and in memory pass one contract
 * (`testing/contracts/resign-contract.ts`).
 *
 * Guarantees: once `ask` has returned, every later `of` finds the request, for a day. Two calls with one id make one
 * request.
 * Does not guarantee: that the holder reads it. A holder that is cut off, that does not use this library, or that was
 * made without `resignRequests`, does not.
 */
export interface ResignRequests {
  /**
   * Writes a request, or writes it again with the same id after an error.
   * @throws StoreUnavailableError: the request may have been written, ask again; StoreRefusedError
   */
  ask(request: ResignRequest): Promise<void>
  /**
   * The requests to the holders of one lease, in the order of their owners and ids.
   * @param owner requests to this holder alone; left out: to all holders, the first 1,000 at least
   * @throws StoreUnavailableError, StoreRefusedError
   */
  of(name: string, owner?: string): Promise<ResignRequest[]>
}

/** Whether a request addresses this very tenure. */
export const isFor = (request: ResignRequest, held: { name: string; owner: string }): boolean =>
  request.name === held.name && request.owner === held.owner

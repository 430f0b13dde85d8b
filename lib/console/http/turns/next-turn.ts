/** Resolves in the next turn of the event loop: everything that is ready comes first. */
export const nextTurn = (): Promise<void> => new Promise((begins) => setImmediate(begins))

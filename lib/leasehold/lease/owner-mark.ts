/** Owners that are no holders, but marks of the protocol. */
const reservedOwnerMark = '!'

export const quarantinePrefix = `${reservedOwnerMark}quarantine:`

/** Whether an owner belongs to the protocol, as the mark of a quarantine does. Such a lease has no holder. */
export const isReservedOwner = (owner: string): boolean => owner.startsWith(reservedOwnerMark)

/** Whether an owner is the mark of a quarantine. Such a lease has no holder, and is never renewed. */
export const isQuarantine = (owner: string | null | undefined): boolean =>
  owner?.startsWith(quarantinePrefix) === true

/**
 * What happened to a lease.
 *
 * - `acquired`: an owner's tenure began; the lease was free before, or it is not known who held it.
 * - `changed-hands`: an owner's tenure began, and the row was never seen free since `previousOwner` held it. How that
 *   owner's tenure ended was not seen.
 * - `asked`: the holder was asked to resign, and holds on until it does.
 * - `resigned`: the holder released the lease because it was asked to, by the library's word.
 * - `released`: the tenure ended before its expiry. Where the source is `observed`, the holder did so, or another client
 *   that deleted the row.
 * - `expired`: no renewal came, and Cassandra stopped showing the row.
 * - `broken`, `killed`: a forced release took effect.
 * - `lost`: the holder stopped, by the library's word; `reason` says why. The row may live on until its expiry.
 * - `quarantine-ended`: the quarantine of a broken lease is over; the lease is free.
 * - `ended-unknown`: the tenure ended, and it was not seen how.
 */
export const leaseEventKinds = [
  'acquired',
  'changed-hands',
  'asked',
  'resigned',
  'released',
  'expired',
  'broken',
  'killed',
  'lost',
  'quarantine-ended',
  'ended-unknown',
] as const
export type LeaseEventKind = (typeof leaseEventKinds)[number]

/** Kinds with which a tenure of `owner` begins. */
export const beginningKinds: readonly LeaseEventKind[] = ['acquired', 'changed-hands']
/** Kinds with which the tenure of `owner` ends. `changed-hands` ends that of `previousOwner` too. */
export const endingKinds: readonly LeaseEventKind[] = [
  'resigned',
  'released',
  'expired',
  'broken',
  'killed',
  'lost',
  'ended-unknown',
]

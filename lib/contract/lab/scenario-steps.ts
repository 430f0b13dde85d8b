import type { LabScenario } from './lab-bounds.ts'

/**
 * The steps of each story, in order: what a step’s sentence speaks of. The entry `caption` has a step’s number, counted from 0.
 * The server notes it when that has happened in the run (a fault begins, Cassandra answers, a candidate leads), never before, and
 * lets a sentence stand for two seconds at least. “The leader” is the one of the step before.
 */
export const scenarioSteps = {
  'hand-over': [
    'campaigns', // All three candidates campaign: each has sent a try, or a read.
    'leads', // One of them leads.
    'renews', // Its first renewal is applied: the deadline and the expiry move on.
    'resigns', // It resigns: it has stopped before it sends the DELETE.
    'released', // Cassandra has applied the DELETE.
    'takes-over', // Another candidate leads, long before the expiry.
    'token-grew', // Its token is greater, and its term is the next one.
  ],
  crash: [
    'leads',
    'renews',
    'crashes', // The leader ends without a release.
    'row-stays', // A SERIAL read after the crash still shows it: Cassandra cannot know.
    'row-expires', // The second of the expiry has come.
    'takes-over', // A candidate that waited for that second leads.
    'token-grew',
  ],
  'pause-unfenced': [
    'leads',
    'counts', // Both counters were added to.
    'check-off', // Holders no longer look at their deadline.
    'pauses', // The leader stands still in the middle of an addition: it has read the counter, and not yet written.
    'row-expires',
    'takes-over',
    'counts-on', // The new leader has added to both counters.
    'resumes', // The old leader goes on: it believes to lead.
    'lost-update', // Its unfenced write took additions of the new leader away.
    'stops', // A renewal is refused: the old leader learns that it lost.
  ],
  'pause-fenced': [
    'leads',
    'counts',
    'check-off',
    'pauses',
    'takes-over',
    'counts-on', // From here on the row of the fenced counter carries the new token.
    'resumes',
    'refused', // The fenced write of the old leader is refused: its token is smaller.
    'counter-right', // The fenced counter is as many as were meant.
  ],
  'answer-lost': [
    'leads',
    'fault-set', // The answer to the leader’s next conditional write will be lost.
    'applied', // Cassandra has applied a renewal, and the leader does not get the answer.
    'finds-out', // The leader asks again: it reads, or sends the renewal once more.
    'settled', // The answer says that it holds the lease: the deadline moves on.
    'lost-again', // The leader resigned. The next leader’s first try: applied, and its answer is lost too.
    'found', // It finds its own owner id, which no other try ever had: it leads.
  ],
  'late-renewal': [
    'leads',
    'held-back', // A renewal of the leader is held back on its way.
    'sent-again', // No answer in time: the leader renews again.
    'renewed', // That one is applied.
    'takes-over', // The leader resigned, and another candidate leads.
    'let-go', // The renewal that was held back reaches Cassandra now.
    'not-applied', // Its condition names the old owner id: it changes nothing.
  ],
  'skewed-clock': [
    'leads',
    'skewed', // The leader’s clocks are set back by several seconds, more than is allowed.
    'cut', // Nothing that it sends arrives: no renewal can tell it.
    'row-expires',
    'takes-over',
    'two-believe', // By its wrong clock the old leader still has time.
    'back', // The cut ends: the old leader hears that it lost.
  ],
  herd: [
    'campaigns', // All eight campaign.
    'leads',
    'herd', // The leader resigned; many tries for one lease.
    'takes-over',
    'fair', // From now on they queue: one ticket each.
    'queued', // Tickets are in the queue.
    'leads-fair',
    'hands-over', // It resigned; only the first of the queue tries.
    'in-order', // Three leaders came in the order of their tickets.
  ],
  'forced-release': [
    'leads',
    'asked', // Ask: a request for the leader is written.
    'resigned', // It read it beside a renewal, and resigned.
    'next-leads',
    'broken', // Break: the mark took the owner’s place.
    'stopped', // The old leader learns of it, and stops.
    'quarantine-ends', // The mark has expired: the old deadline is certainly past.
    'leads-after', // A candidate leads.
    'cut', // That leader is cut off from Cassandra.
    'killed', // Kill: the row is deleted.
    'two-believe', // Another candidate leads, and the old one believes until its deadline.
    'deadline', // Its deadline stopped it.
  ],
  'forgotten-value': [
    'plain-acquires', // A plain client inserts the row, with a value. The candidates wait.
    'value-shown', // A SERIAL read shows owner and value.
    'plain-renews', // Its renewal sets `owner` alone.
    'value-gone', // The owner is still there, and the value has expired.
    'sets-all', // It sets both columns again, and does so from now on.
    'value-stays', // One TTL later the value is still there.
    'released', // The plain client deletes the row.
    'takes-over', // A candidate leads.
  ],
  bakery: [
    'arrives', // Customers come in.
    'choosing', // One shows its flag, while it looks for a number.
    'number', // One has its number: one more than the greatest that it read.
    'waits', // One waits for another with a smaller number, or the same number and a smaller id.
    'critical', // The first is served: it is alone.
    'next', // It left, and the next one is served.
    'tie', // Two came at once, and have the same number: the smaller id goes first.
    'crashes', // The customer that is served crashes.
    'expires', // Its number has expired.
    'line-moves', // The next one is served.
  ],
} as const satisfies Record<LabScenario, readonly string[]>

/**
 * What the stories say: a sentence a step, in the order of `scenarioSteps`. Words in braces come from the journal once it has
 * them; before, the words after the bar stand there. A part in brackets is left out until all its words are known.
 */
import type { LabScenario } from '../../lib/contract/lab/lab-bounds.ts'
import type { scenarioSteps } from '../../lib/contract/lab/scenario-steps.ts'

interface Words<S extends LabScenario> {
  title: string
  /** What one sees, before it is started. */
  lead: string
  captions: Sentences<(typeof scenarioSteps)[S]>
}

/** As many as there are steps. */
type Sentences<T extends readonly string[]> = { readonly [K in keyof T]: string }

export const scenarioWords: { readonly [S in LabScenario]: Words<S> } = {
  'hand-over': {
    title: 'Clean hand-over',
    lead: 'A leader resigns, and the next one leads at once.',
    captions: [
      'All three candidates campaign. Each tries to write its name into the one row; Cassandra lets one through.',
      '{leader|One candidate} leads[, token {token}]. The row disappears by itself unless {leader|it} renews.',
      '{leader|The leader} renews at a third of its time. Deadline and expiry move on together.',
      '{leader|The leader} resigns: it stops its work first, and only then deletes the row.',
      'Cassandra has applied the DELETE. The name is free, long before its expiry.',
      '{leader|Another candidate} leads. The others noticed the early release and did not wait for the expiry.',
      'The new token[, {token},] is greater than the one before. Storage that checks tokens refuses the old leader.',
    ],
  },
  crash: {
    title: 'Crash and takeover',
    lead: 'A leader dies without a word. The next one leads at the exact expiry.',
    captions: [
      '{leader|One candidate} leads. Its row ends by itself in {ttl|a few} s unless it is renewed.',
      '{leader|The leader} renews. A healthy leader never comes near the expiry.',
      '{victim|The leader} crashes[ at {faultAt} s]. It deletes nothing, and no renewal leaves it.',
      'The row stays. Cassandra cannot know of the crash; it only knows the expiry[, {expiry} s].',
      'The second of the expiry has come. Cassandra shows the row no longer.',
      '{leader|Another candidate} leads[, {afterExpiry} after the expiry]: it had slept until this second.',
      'The new token[, {token},] is greater. A late write of {victim|the old leader} is refused wherever tokens are checked.',
    ],
  },
  'pause-unfenced': {
    title: 'Long pause, without fencing',
    lead: 'A leader sleeps past its expiry, wakes, and writes as if it still led. The counter that checks no token loses additions.',
    captions: [
      '{leader|One candidate} leads, and only the leader may add to the counters.',
      'Each addition reads a counter and writes one more: once with the token checked, once without.',
      'The deadline check is switched off: from now on no leader looks at its own clock.',
      '{victim|The leader} stops[ at {faultAt} s], as in a long GC: it has read the counter, and not yet written.',
      'Cassandra drops the row[ at {expiry} s]. {victim|The old leader} sleeps and cannot notice.',
      '{leader|Another candidate} leads[, {afterExpiry} after the expiry]. All is well, as far as it can see.',
      '{leader|The new leader} adds to both counters. The value that {victim|the sleeper} has read is old by now.',
      '{victim|The old leader} wakes and still believes to lead: two believe at once.',
      'It writes its old value plus one over the unfenced counter[: {added} additions were applied, and it says {unfenced}].',
      'Its next renewal is refused. Only now {victim|the old leader} knows that it does not lead.',
    ],
  },
  'pause-fenced': {
    title: 'Long pause, with fencing',
    lead: 'The same pause. The counter that checks the token refuses the late write, and stays right.',
    captions: [
      '{leader|One candidate} leads. Its token[, {token},] goes with each write to the fenced counter.',
      'The fenced counter keeps the greatest token it has seen beside its value, in the column fence.',
      'The deadline check is switched off, so that only the token protects the counter.',
      '{victim|The leader} stops[ at {faultAt} s] in the middle of an addition.',
      'Its lease expires, and {leader|another candidate} leads with a greater token[, {token}].',
      '{leader|The new leader} adds. From here on the row of the counter has the new token[, {token}].',
      '{victim|The old leader} wakes and finishes its addition, with its old token[, {oldToken}].',
      'The write says IF fence <= {oldToken|its own token}. The row has {token|a greater one}: refused.',
      'The fenced counter is right[: {fenced} of {meant}]. That is what a token is for.',
    ],
  },
  'answer-lost': {
    title: 'Answer lost',
    lead: 'Cassandra applied a write, and the answer never came. Did it happen?',
    captions: [
      '{leader|One candidate} leads and renews.',
      'The answer to its next conditional write will be lost on the way.',
      'Cassandra has applied a renewal. {leader|The leader} gets no answer: for it the outcome is unknown.',
      'Unknown is not “no”. {leader|The leader} asks again before it believes either.',
      'The answer shows its own owner id in the row: it holds the lease, and its deadline moves on.',
      'Now the leader has resigned, and the first try of the next one is applied with its answer lost too.',
      '{leader|The new leader} finds its own owner id. No other try ever had this id, so it leads.',
    ],
  },
  'late-renewal': {
    title: 'A renewal that lands late',
    lead: 'A renewal hangs in the network and arrives in the next term.',
    captions: [
      '{leader|One candidate} leads.',
      'A renewal of {leader|the leader} is held back on its way to Cassandra.',
      'No answer comes in time. {leader|The leader} sends the renewal once more.',
      'The second renewal is applied. The first one still hangs.',
      'The leader has resigned; {leader|another candidate} leads. The old renewal belongs to a past term.',
      'The renewal that was held back reaches Cassandra now.',
      'Not applied: it says IF owner = the old id, and each tenure has an id of its own. It changes nothing.',
    ],
  },
  'skewed-clock': {
    title: 'Skewed clock',
    lead: 'A leader’s clock is set back by more than its deadline allows for.',
    captions: [
      '{leader|One candidate} leads. Its deadline, by its own clock, comes before the expiry by Cassandra’s.',
      'The clocks of {victim|the leader} are set back[ by {back}], and its deadlines allow for a skew of {allowed|far less}.',
      'Its network is cut too: no refused renewal can tell it the truth.',
      'Cassandra drops the row[ at {expiry} s].',
      '{leader|Another candidate} leads.',
      'By its wrong clock {victim|the old leader} still has time: two believe to lead. Only a token helps now.',
      'The network is back. A renewal is refused, and {victim|the old leader} hears that it lost.',
    ],
  },
  herd: {
    title: 'Thundering herd, then fair mode',
    lead: 'Eight want one lease: first all at once, then in a queue.',
    captions: [
      'Eight candidates campaign for one lease.',
      '{leader|One} leads; seven sleep until the row’s expiry.',
      'The leader resigned, and seven try at once: many conditional writes for one row.',
      '{leader|One} leads. The other tries were not applied, yet each cost Cassandra a Paxos round.',
      'Fair mode from now on: each candidate draws a ticket and waits for its turn.',
      'The tickets are in the queue, in order.',
      '{leader|The first of the queue} leads.',
      'It resigned, and only the first of the queue tries. The others stay asleep.',
      'Three leaders came in the order of their tickets, with few tries each.',
    ],
  },
  'forced-release': {
    title: 'Ask, break and kill',
    lead: 'The three ways to take a lease from its holder, and what each risks.',
    captions: [
      '{leader|One candidate} leads.',
      'Ask: a request for {leader|the leader} is written. Nothing is taken away.',
      '{stopped|The leader} read the request beside a renewal, and resigned by itself. No overlap.',
      '{leader|Another candidate} leads.',
      'Break: a mark takes the owner’s place, and keeps the name occupied for the holder’s full TTL.',
      'The old leader’s renewal is refused, and it stops. The quarantine still stands.',
      'The mark has expired. The old deadline is certainly past, so the name may be had again.',
      '{leader|A candidate} leads. At no time did two believe to lead.',
      '{victim|The leader} is cut off from Cassandra: it hears nothing.',
      'Kill: the row is deleted at once, and the name is free. {victim|The old leader} does not know.',
      '{leader|Another candidate} leads, and {victim|the old one} believes too: this is what kill risks.',
      'The deadline of {victim|the old leader} ended its belief. Without one the overlap would have no end.',
    ],
  },
  'forgotten-value': {
    title: 'The renewal that forgets value',
    lead: 'The classic mistake of a plain CQL client: half of the row expires.',
    captions: [
      'A plain CQL client acquires the lease with an owner and a value. The candidates wait.',
      'A SERIAL read shows both columns, each with a TTL of its own.',
      'Its renewal sets owner alone. TTLs belong to cells: value keeps its old one.',
      'The owner is still there; the value has expired. Readers of the value see a lease with a hole.',
      'The client sets both columns again, and does so in each renewal from now on.',
      'One TTL later the value is still there.',
      'The plain client deletes the row.',
      '{leader|A candidate} leads.',
    ],
  },
  bakery: {
    title: 'The bakery',
    lead: 'Lamport’s lock on plain reads and writes: numbers, flags, patience.',
    captions: [
      'Customers come into the bakery. No conditional write is used here, only reads and writes at QUORUM.',
      '{chooser|A customer} raised its flag while it chose a number: the others wait for that.',
      '{numbered|A customer} took number {number|one more than the greatest it read}.',
      '{waiter|A customer} waited[ for {other}]: the smaller number goes first, and of equal ones the smaller id, drawn for each visit.',
      '{served|One customer} was served first, alone inside.',
      'It set its number to 0 and left; {next|the one with the next number} was next.',
      'Two came at once, read the same numbers, and chose the same one. The smaller id goes first.',
      '{victim|The customer inside} crashes. Its number stays, and the line stands still.',
      'Its number has expired: rows with a TTL keep a crash from closing the bakery.',
      '{inside|The next customer} is served.',
    ],
  },
}

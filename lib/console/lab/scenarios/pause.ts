/**
 * A pause of the leader that outlives its row, with the deadline check off: once to look at the counter without a fence, once at the
 * one with it. The pause begins when Cassandra has answered the read of an addition, so that the write comes after it.
 */
import type { Entry, JournalEntry } from '../../../contract/lab/journal.ts'
import { Leaders, rowExpires, type Scenario, type Stage, Statements, seen } from '../story/stage.ts'
import type { StoryStep } from '../story/story.ts'

const pause = (endsWith: (steps: ReturnType<typeof stepsOf>) => StoryStep[]): Scenario => ({
  candidates: 2,
  ttlSeconds: 8,
  fair: false,
  steps: (stage) => endsWith(stepsOf(stage)),
})

function stepsOf(stage: Stage) {
  const leaders = new Leaders()
  const reads = new Statements()
  const hasRead = reads.answered(
    ({ by, purpose, cql }) =>
      by === leaders.now && purpose === 'fenced-counter' && cql.startsWith('SELECT counter'),
    'rows',
  )
  let added = 0
  return {
    leaders,
    leads: { until: leaders.leads },
    counts: { until: seen('wrote', ({ counter }) => counter === 'unfenced') },
    checkOff: { act: () => stage.deadlineCheck(false), until: seen('deadline-check') },
    pauses: {
      when: hasRead,
      act: () => stage.fault(leaders.now, 'paused', true),
      until: isFault('paused', true),
    },
    rowExpires: { until: rowExpires(() => leaders.now), looksBackTo: 'last act' },
    takesOver: { until: leaders.leads, looksBackTo: 'last act' },
    countsOn: {
      until: seen('wrote', ({ candidate, counter }) => {
        if (candidate === leaders.now && counter === 'unfenced') added++
        return added >= 2
      }),
    },
    resumes: { act: () => stage.fault(leaders.before, 'paused', false), until: isFault('paused', false) },
    wrote: (counter: Entry<'wrote'>['counter'], outcome: Entry<'wrote'>['outcome']) => ({
      until: seen(
        'wrote',
        (entry) =>
          entry.candidate === leaders.before && entry.counter === counter && entry.outcome === outcome,
      ),
      looksBackTo: 'last act' as const,
    }),
  } satisfies Record<string, StoryStep | Leaders | ((...args: never[]) => StoryStep)>
}

const isFault = (fault: Entry<'fault'>['fault'], on: boolean): ((entry: JournalEntry) => boolean) =>
  seen('fault', (entry) => entry.fault === fault && entry.on === on)

export const pauseUnfenced = pause(({ leaders, ...steps }) => [
  ...[
    steps.leads,
    steps.counts,
    steps.checkOff,
    steps.pauses,
    steps.rowExpires,
    steps.takesOver,
    steps.countsOn,
  ],
  steps.resumes,
  steps.wrote('unfenced', 'lost-update'),
  { until: seen('lost', ({ candidate }) => candidate === leaders.before), looksBackTo: 'last act' },
])

export const pauseFenced = pause((steps) => [
  ...[
    steps.leads,
    steps.counts,
    steps.checkOff,
    steps.pauses,
    steps.takesOver,
    steps.countsOn,
    steps.resumes,
  ],
  steps.wrote('fenced', 'refused'),
  { until: seen('wrote', ({ total }) => total.fenced === total.meant) },
])

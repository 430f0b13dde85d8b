'use client'

import { useMemo } from 'react'
import { captionText, storyFacts } from '../../../lib/client/lab/run/story-facts.ts'
import type { JournalEntry } from '../../../lib/contract/lab/journal.ts'
import type { LabScenario } from '../../../lib/contract/lab/lab-bounds.ts'
import type { LabRun } from '../../../lib/contract/lab/run.ts'
import { scenarioWords } from '../scenario-words.ts'

interface StoryListProps {
  scenario: LabScenario
  run: LabRun
  entries: readonly JournalEntry[]
  /** Grows with `entries`, which stays the same object. */
  revision: number
  /** The time that is looked at. null: the present. */
  atMs: number | null
}

/** The story’s sentences: those that happened, the one that stands, and in a paler colour those to come. */
export function StoryList({ scenario, run, entries, revision, atMs }: StoryListProps) {
  const { ttlSeconds, maxClockSkewMs } = run
  const facts = useMemo(
    () =>
      storyFacts(atMs === null ? entries : entries.filter((entry) => entry.atMs <= atMs), {
        ttlSeconds,
        maxClockSkewMs,
      }),
    [entries, revision, atMs, ttlSeconds, maxClockSkewMs],
  )
  const here = facts.length - 1
  const captions: readonly string[] = scenarioWords[scenario].captions
  const isOver = run.story?.state === 'ended' && atMs === null
  return (
    <>
      <ol className="story">
        {captions.map((caption, step) => (
          <li
            key={caption}
            // Sentences that a phone leaves out count all the same.
            style={{ counterSet: `sentence ${step + 1}` }}
            className={step < here || (isOver && step <= here) ? 'past' : step === here ? 'here' : undefined}
            aria-current={step === here && !isOver ? 'step' : undefined}
            // On a phone it is the only one, until all are opened.
            data-shown={(step === Math.max(0, here) && !isOver) || undefined}
          >
            {captionText(caption, facts[step])}
          </li>
        ))}
      </ol>
      <p className="vh" role="status">
        {here >= 0 && captionText(captions[here] ?? '', facts[here])}
      </p>
      {isOver && run.state === 'running' && (
        <p className="story-end small">
          The story has ended:{' '}
          <a className="link" href="#verdict">
            see the verdict
          </a>
          . {scenario === 'bakery' ? 'The customers come again' : 'The election goes on'}, and now it is your
          playground.
        </p>
      )}
    </>
  )
}

'use client'

import type { AuditEntry, AuditEvent } from '../../lib/contract/audit.ts'
import { PageLink } from '../shell/page-link.tsx'
import { Instant } from '../shell/time/instant.tsx'
import { CopyButton } from '../ui/control/copy-button.tsx'
import { SeenText } from '../ui/text/seen-text.tsx'
import type { ActPart } from './entries/act-of.ts'
import { actorWords } from './entries/actor-text.tsx'
import { BeforeAfter } from './entries/before-after.tsx'
import { entryKey } from './entries/entry-key.ts'
import { OutcomeWord, outcomeLook } from './entries/outcome-look.tsx'
import { Fact, MonoText } from './fact.tsx'
import { auditPath } from './filter/audit-filter.ts'

const phaseWords: Record<AuditEvent['phase'], string> = {
  event: 'single entry',
  intent: 'written before the act',
  outcome: 'written after the act',
}

/** The part of an entry in its act. */
function partTitle({ act, phase }: AuditEvent): string {
  if (phase === 'intent') return 'Intent'
  if (phase === 'outcome') return 'Outcome'
  if (act === 'release-plan') return 'Plan'
  if (act === 'release-request') return 'Request for approval'
  return act === 'approval' ? 'Approval' : 'Entry'
}

/** One entry: who, from where, what changed, and where it stands in its chain. */
export function AuditPart({ event, entry }: ActPart) {
  const { actor } = event
  const look = outcomeLook(event, entry !== null, entry?.unverified)
  return (
    <section className="part" aria-label={partTitle(event)} data-tone={look.tone}>
      <h3>
        {partTitle(event)}
        {event.phase !== 'intent' && (
          <span className="out">
            <OutcomeWord look={look} />
          </span>
        )}
        <span className="mut small">{phaseWords[event.phase]}</span>
      </h3>
      {look.meaning !== undefined && <p className="small mut">{look.meaning}</p>}
      <dl className="facts">
        {entry && (
          <Fact name="When">
            <span className="mono">
              <Instant at={entry.at} digits={3} zoned />
            </span>
          </Fact>
        )}
        <Fact name="Who">
          <span className="mono">
            <SeenText text={actor.username} />
          </span>
          {actorWords(actor, true)}
        </Fact>
        <Fact name="Address">
          <MonoText text={actor.address} />
        </Fact>
        <Fact name="Request">
          <MonoText text={actor.requestId} />
          {actor.requestId && <CopyButton text={actor.requestId} label="Copy the request id" />}
        </Fact>
        {entry && <Place entry={entry} />}
      </dl>
      <BeforeAfter before={event.before} after={event.after} />
    </section>
  )
}

/** The place of an entry, and its link to the one before. */
function Place({ entry }: { entry: AuditEntry }) {
  const next = new Date(Date.parse(entry.at) + 1).toISOString()
  const link = `${auditPath({ act: entry.act, chain: entry.chain, from: entry.at, to: next })}&entry=${encodeURIComponent(entryKey(entry))}`
  return (
    <>
      <Fact name="Place">
        <span className="mono">
          {entry.chain} / {entry.bucket} / {entry.seq}
        </span>{' '}
        <PageLink className="link" href={link}>
          Link to this entry
        </PageLink>
      </Fact>
      <Fact name="Key">
        <MonoText text={entry.keyId} />
      </Fact>
      <Fact name="Hash">
        <Hash hash={entry.hash} label="Copy the hash" />
      </Fact>
      <Fact name="Previous hash">
        <Hash hash={entry.prev} label="Copy the hash of the entry before" />
      </Fact>
    </>
  )
}

const Hash = ({ hash, label }: { hash: string; label: string }) => (
  <>
    <span className="mono" title={hash}>
      {hash.slice(0, 16)}
      <span className="dim">…</span>
    </span>{' '}
    <CopyButton text={hash} label={label} />
  </>
)

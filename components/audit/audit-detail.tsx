'use client'

import type { ReactNode } from 'react'
import type { AuditEntry, AuditEvent, ShownEntry } from '../../lib/contract/audit.ts'
import { Instant } from '../shell/instant.tsx'
import { PageLink } from '../shell/page-link.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Say } from '../ui/say.tsx'
import { SeenText } from '../ui/seen-text.tsx'
import { releasePagePath } from './act-look.tsx'
import { auditPath } from './audit-filter.ts'
import { BeforeAfter } from './before-after.tsx'
import { entryKey } from './entry-key.ts'

const viaWords: Record<AuditEvent['actor']['via'], string> = {
  password: 'by password',
  sso: 'by single sign-on',
  token: 'by token',
  link: 'by the one-time link',
  terminal: 'at the server’s terminal',
  server: 'the server itself',
}

/** All that an entry says, and where it stands in its chain. */
export function AuditDetail({ event, entry }: { event: AuditEvent; entry: ShownEntry | null }) {
  const release = releasePagePath(event)
  const { actor, on } = event
  return (
    <div className="entry">
      {entry === null && (
        <Say icon="stale" title="This is done, and not written yet.">
          Cassandra did not take the entry. The server goes on trying until it has; meanwhile it stands in its
          own log.
        </Say>
      )}
      {entry?.unverified && <UnverifiedNote {...entry} />}
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
          {actor.role && ` · ${actor.role}`} · {viaWords[actor.via]}
        </Fact>
        <Fact name="Address">{mono(actor.address)}</Fact>
        <Fact name="Request">
          {mono(actor.requestId)}
          {actor.requestId && <CopyButton text={actor.requestId} label="Copy the request id" />}
        </Fact>
        <Fact name="Phase">{phaseWords[event.phase]}</Fact>
        <Fact name="Act">
          {mono(event.id)} <CopyButton text={event.id} label="Copy the id of the act" />
          {release !== null && (
            <PageLink className="link" href={release}>
              Open the release
            </PageLink>
          )}
        </Fact>
        {on.kind === 'lease' && (
          <>
            <Fact name="Lease" wide>
              <span className="mono break-all">
                <SeenText text={on.name} />
              </span>{' '}
              in <span className="mono">{on.table}</span>{' '}
              <PageLink className="link" href={auditPath({ name: on.name, table: on.table })}>
                All entries about it
              </PageLink>
            </Fact>
            <Fact name="Owner" wide>
              {mono(on.owner)}
            </Fact>
          </>
        )}
        {event.reason !== null && (
          <Fact name="Reason" wide>
            <bdi className="seen">
              <SeenText text={event.reason} lines />
            </bdi>
          </Fact>
        )}
      </dl>
      <BeforeAfter before={event.before} after={event.after} />
      {entry && <Place entry={entry} />}
    </div>
  )
}

/** Above what the entry says, so that a reader is warned before reading it. */
function UnverifiedNote({ unverified, keyId }: Pick<ShownEntry, 'unverified' | 'keyId'>) {
  if (unverified === 'altered')
    return (
      <Say tone="danger" icon="risk" title="This entry was altered: do not rely on what it says.">
        It is not what a console wrote in this place. Someone changed it, moved it or made it without the
        audit key. On the server, <span className="mono">npm run audit -- verify</span> names every such
        entry.
      </Say>
    )
  return (
    <Say tone="warn" icon="risk" title="This console cannot check this entry.">
      The entry names the audit key <span className="mono">{keyId}</span>, from before the log went on under
      another key. With the file of that key,{' '}
      <span className="mono">npm run audit -- verify --key-file …</span> checks it.
    </Say>
  )
}

const phaseWords: Record<AuditEvent['phase'], string> = {
  event: 'one entry for all of it',
  intent: 'written before the act',
  outcome: 'written after the act',
}

/** Where an entry stands, and what binds it to the one before. */
function Place({ entry }: { entry: AuditEntry }) {
  const next = new Date(Date.parse(entry.at) + 1).toISOString()
  const link = `${auditPath({ chain: entry.chain, from: entry.at, to: next })}&entry=${encodeURIComponent(entryKey(entry))}`
  return (
    <dl className="facts place">
      <Fact name="Place">
        <span className="mono">
          {entry.chain} / {entry.bucket} / {entry.seq}
        </span>{' '}
        <PageLink className="link" href={link}>
          Link to this entry
        </PageLink>
      </Fact>
      <Fact name="Key">{mono(entry.keyId)}</Fact>
      <Fact name="Hash">
        <Hash hash={entry.hash} label="Copy the hash" />
      </Fact>
      <Fact name="Before it">
        <Hash hash={entry.prev} label="Copy the hash of the entry before" />
      </Fact>
    </dl>
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

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function mono(text: string | null) {
  if (text === null) return <span className="dim">–</span>
  return (
    <span className="mono break-all">
      <SeenText text={text} />
    </span>
  )
}

'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { actQuery, auditRhythmMs } from '../../../lib/client/call/queries.ts'
import type { ShownEntry } from '../../../lib/contract/audit.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { NotRead } from '../../ui/control/not-read.tsx'
import { Say } from '../../ui/text/say.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { AuditPart } from '../audit-part.tsx'
import { Fact, MonoText } from '../fact.tsx'
import { auditPath } from '../filter/audit-filter.ts'
import { releasePagePath } from './act-look.tsx'
import { type Act, isWhole, joined, partKey, restOf } from './act-of.ts'

/** All entries of an act, newest first. Entries that the page does not have are looked up. */
export function AuditDetail({ act: onPage }: { act: Act }) {
  const missing = !isWhole(onPage)
  const rest = useQuery({ ...actQuery(restOf(onPage, Date.now())), enabled: missing })
  const act = joined(onPage, rest.data ?? [])
  const [{ event }] = act
  const { on } = event
  const release = releasePagePath(event)
  const reason = act.find((part) => part.event.reason !== null)?.event.reason ?? null
  return (
    <div className="entry">
      {act.some(({ entry }) => entry === null) && (
        <Say icon="stale" title="Done, but not written to the log yet.">
          Cassandra did not take the entry. The server keeps trying; until then the entry is in the server’s
          own log.
        </Say>
      )}
      {act.map((part) => part.entry?.unverified && <UnverifiedNote key={partKey(part)} {...part.entry} />)}
      <dl className="facts">
        <Fact name="Act">
          <MonoText text={event.id} /> <CopyButton text={event.id} label="Copy the id of the act" />
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
                All entries about this lease
              </PageLink>
            </Fact>
            <Fact name="Owner" wide>
              <MonoText text={on.owner} />
            </Fact>
          </>
        )}
        {reason !== null && (
          <Fact name="Reason" wide>
            <bdi className="seen">
              <SeenText text={reason} lines />
            </bdi>
          </Fact>
        )}
      </dl>
      {act.map((part) => (
        <AuditPart key={partKey(part)} {...part} />
      ))}
      <Rest missing={missing}>
        {rest.isPending && 'The rest of this act is being read.'}
        {rest.isError && (
          <NotRead error={rest.error} what="The rest of this act" shown={false} rhythmMs={auditRhythmMs} />
        )}
      </Rest>
    </div>
  )
}

function Rest({ missing, children }: { missing: boolean; children: ReactNode }) {
  return missing ? (
    <div className="mut small" role="status">
      {children}
    </div>
  ) : null
}

/** Above what the entry says, so that a reader is warned before reading it. */
function UnverifiedNote({ unverified, keyId }: Pick<ShownEntry, 'unverified' | 'keyId'>) {
  if (unverified === 'altered')
    return (
      <Say tone="danger" icon="risk" title="This entry was altered: do not rely on what it says.">
        A console wrote something else in this place, or nothing. The entry was changed, moved or made without
        the audit key. On the server, <span className="mono">npm run audit -- verify</span> names every such
        entry.
      </Say>
    )
  return (
    <Say tone="warn" icon="risk" title="This console cannot check this entry.">
      The entry names the audit key <span className="mono">{keyId}</span>, which was in use before the present
      one. With the file of that key, <span className="mono">npm run audit -- verify --key-file …</span>{' '}
      checks the entry.
    </Say>
  )
}

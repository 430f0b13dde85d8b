'use client'

import type { AuditEvent } from '../../../lib/contract/audit.ts'
import { isAddressable, leasePath } from '../../../lib/contract/path.ts'
import { PageLink } from '../../shell/page-link.tsx'
import { NameText } from '../../ui/text/name-text.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { auditPath } from '../filter/audit-filter.ts'

/** The object of an act; a lease and a person are links. */
export function ObjectText({ on }: { on: AuditEvent['on'] }) {
  switch (on.kind) {
    case 'lease':
      return (
        <span className="mono" title={on.name}>
          {isAddressable(on.name) ? (
            <PageLink className="lead" href={leasePath(on.name, on.table)}>
              <NameText name={on.name} />
            </PageLink>
          ) : (
            <NameText name={on.name} />
          )}
          {on.table !== 'leases' && <span className="dim"> in {on.table}</span>}
        </span>
      )
    case 'user':
      return (
        <>
          <span className="dim">user </span>
          <PersonLink username={on.username} />
        </>
      )
    case 'token':
      return (
        <>
          <span className="dim">token </span>
          <bdi className="seen mono" title={on.id}>
            <SeenText text={on.name} />
          </bdi>
        </>
      )
    case 'route':
      return (
        <>
          <span className="dim">route </span>
          <span className="mono">
            <SeenText text={on.route} />
          </span>
        </>
      )
    case 'console':
      return <span className="dim">the console</span>
  }
}

/** A person's name, as a link to that person's acts. */
export function PersonLink({ username }: { username: string }) {
  if (username === '') return <span className="dim">not signed in</span>
  return (
    <PageLink className="lead mono" href={auditPath({ username })} title={`What ${username} did`}>
      <bdi className="seen">
        <SeenText text={username} />
      </bdi>
    </PageLink>
  )
}

'use client'

import type { ReactNode } from 'react'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { PageLink } from '../shell/page-link.tsx'
import { may } from '../shell/session/may.ts'
import { useSession } from '../shell/session/session-context.tsx'

export const sections = [
  { id: 'account', text: 'My account', route: endpoints.getSession },
  { id: 'users', text: 'Users', route: endpoints.listUsers },
  { id: 'tokens', text: 'Tokens', route: endpoints.listTokens },
  { id: 'doctor', text: 'Doctor', route: endpoints.getDoctor },
] as const

type SettingsSection = (typeof sections)[number]['id']

/** The sections of the settings that the user may see, and the one act of the current section. */
export function SettingsHead({ section, children }: { section: SettingsSection; children?: ReactNode }) {
  const session = useSession()
  const seen = sections.filter(({ route }) => may(session, route))
  return (
    <div className="head">
      <h1>
        Settings
        <span className="vh">: {sections.find(({ id }) => id === section)?.text}</span>
      </h1>
      <nav className="sections" aria-label="Settings">
        {seen.map(({ id, text }) => (
          <PageLink key={id} href={`/settings/${id}`} aria-current={id === section ? 'page' : undefined}>
            {text}
          </PageLink>
        ))}
      </nav>
      {children && <div className="push">{children}</div>}
    </div>
  )
}

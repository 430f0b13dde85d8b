import type { Metadata } from 'next'
import { AuditPage } from '../../../components/audit/audit-page.tsx'
import { NotAllowed } from '../../../components/shell/session/not-allowed.tsx'
import { endpoints } from '../../../lib/contract/endpoints.ts'
import { requireSession } from '../current-session.ts'
import { isAllowed } from '../is-allowed.ts'
import { searchText } from '../search-text.ts'

export const metadata: Metadata = { title: 'Audit' }

export default async function AuditLogPage({ searchParams }: PageProps<'/audit'>) {
  await requireSession(`/audit${searchText(await searchParams)}`)
  return (await isAllowed(endpoints.listAudit)) ? (
    <AuditPage />
  ) : (
    <NotAllowed title="Audit" permission={endpoints.listAudit.permission} />
  )
}

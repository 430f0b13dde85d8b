import type { Metadata } from 'next'
import { ReferencePage } from '../../../components/reference/reference-page.tsx'
import { requireSession } from '../current-session.ts'

export const metadata: Metadata = { title: 'API reference' }

export default async function DocsPage() {
  await requireSession('/docs')
  return <ReferencePage />
}

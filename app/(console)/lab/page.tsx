import type { Metadata } from 'next'
import { LabPage } from '../../../components/lab/runs/lab-page.tsx'
import { requireSession } from '../current-session.ts'
import { searchText } from '../search-text.ts'

export const metadata: Metadata = { title: 'Election lab' }

export default async function Lab({ searchParams }: PageProps<'/lab'>) {
  await requireSession(`/lab${searchText(await searchParams)}`)
  return <LabPage />
}

import type { Metadata } from 'next'
import { LeaseList } from '../../components/leases/lease-list.tsx'
import { requireSession } from './current-session.ts'
import { searchText } from './search-text.ts'

export const metadata: Metadata = { title: 'Leases' }

export default async function LeasesPage({ searchParams }: PageProps<'/'>) {
  await requireSession(`/${searchText(await searchParams)}`)
  return <LeaseList />
}

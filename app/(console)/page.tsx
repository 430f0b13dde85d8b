import type { Metadata } from 'next'
import { LeaseList } from '../../components/leases/list/lease-list.tsx'
import { requireSession } from './current-session.ts'
import { firstLeases } from './first-leases.ts'
import { searchText } from './search-text.ts'

export const metadata: Metadata = { title: 'Leases' }

export default async function LeasesPage({ searchParams }: PageProps<'/'>) {
  const search = await searchParams
  await requireSession(`/${searchText(search)}`)
  return <LeaseList first={await firstLeases(search)} />
}

import type { Metadata } from 'next'
import { AttentionPage } from '../../../components/attention/attention-page.tsx'
import { troubleStates } from '../../../lib/contract/leases/list-order.ts'
import { requireSession } from '../current-session.ts'
import { firstLeases } from '../first-leases.ts'
import { searchText } from '../search-text.ts'

export const metadata: Metadata = { title: 'Needs attention' }

export default async function Attention({ searchParams }: PageProps<'/attention'>) {
  const search = await searchParams
  await requireSession(`/attention${searchText(search)}`)
  return <AttentionPage first={await firstLeases({ table: search.table, state: troubleStates.join(',') })} />
}

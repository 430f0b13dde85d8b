import type { Metadata } from 'next'
import { LeasePage } from '../../../../components/lease/lease-page.tsx'
import { seenText } from '../../../../components/ui/unseen-characters.ts'
import { requireSession } from '../../current-session.ts'
import { oneOf, searchText } from '../../search-text.ts'

/** Pages get their parameters as they stand in the URL: decoded here, once. null: not valid percent-encoding. */
function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

/** Unlike pages, metadata get their parameters decoded: to do it again would name another lease. */
export async function generateMetadata({ params }: PageProps<'/leases/[name]'>): Promise<Metadata> {
  return { title: seenText((await params).name).slice(0, 200) }
}

export default async function LeaseByNamePage({ params, searchParams }: PageProps<'/leases/[name]'>) {
  const { name } = await params
  const search = await searchParams
  await requireSession(`/leases/${name}${searchText(search)}`)
  return <LeasePage name={decoded(name)} table={oneOf(search.table)} />
}

import type { Metadata } from 'next'
import { BadName } from '../../../../components/lease/bad-name.tsx'
import { LeasePage } from '../../../../components/lease/lease-page.tsx'
import { seenText } from '../../../../components/ui/text/unseen-characters.ts'
import { isAddressable } from '../../../../lib/contract/path.ts'
import { leaseNameSchema } from '../../../../lib/contract/text.ts'
import { startOf } from '../../../../lib/contract/text-size.ts'
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

/** Why no lease of this name can be opened; null: one can. */
function problemOf(name: string | null): string | null {
  if (name === null) return 'The address is not valid percent-encoded UTF-8.'
  // What is wrong with the name, before that a URL cannot hold it.
  const issue = leaseNameSchema.safeParse(name).error?.issues[0]
  if (issue !== undefined) return issue.message
  return isAddressable(name) ? null : 'This name cannot stand in the path of a URL.'
}

/** Unlike pages, metadata get their parameters decoded: to do it again would name another lease. */
export async function generateMetadata({ params }: PageProps<'/leases/[name]'>): Promise<Metadata> {
  return { title: startOf(seenText((await params).name), 200) }
}

export default async function LeaseByNamePage({ params, searchParams }: PageProps<'/leases/[name]'>) {
  const { name } = await params
  const search = await searchParams
  await requireSession(`/leases/${name}${searchText(search)}`)
  const leaseName = decoded(name)
  const problem = problemOf(leaseName)
  if (leaseName === null || problem !== null) return <BadName name={leaseName} detail={problem ?? ''} />
  return <LeasePage name={leaseName} table={oneOf(search.table)} />
}

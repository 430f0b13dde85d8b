import type { Metadata } from 'next'
import { ReleasePage } from '../../../../components/release-page/release-page.tsx'
import { releaseParamsSchema } from '../../../../lib/contract/releases/release.ts'
import { requireSession } from '../../current-session.ts'
import { searchText } from '../../search-text.ts'

export const metadata: Metadata = { title: 'Release' }

export default async function ReleaseByIdPage({ params, searchParams }: PageProps<'/releases/[id]'>) {
  const { id } = await params
  await requireSession(`/releases/${id}${searchText(await searchParams)}`)
  // Ids need no encoding: an encoded one in the path is no id.
  return <ReleasePage id={releaseParamsSchema.safeParse({ id }).success ? id : null} />
}

import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { RunPage } from '../../../../components/lab/run/run-page.tsx'
import { labRunParamsSchema } from '../../../../lib/contract/lab/run.ts'
import { requireSession } from '../../current-session.ts'
import { searchText } from '../../search-text.ts'

export const metadata: Metadata = { title: 'Election lab, a run' }

export default async function LabRunPage({ params, searchParams }: PageProps<'/lab/[run]'>) {
  const { run } = await params
  await requireSession(`/lab/${run}${searchText(await searchParams)}`)
  if (!labRunParamsSchema.safeParse({ run }).success) notFound()
  return <RunPage key={run} run={run} />
}

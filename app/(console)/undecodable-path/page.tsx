import type { Metadata } from 'next'
import { LeasePage } from '../../../components/lease/lease-page.tsx'
import { requireSession } from '../current-session.ts'

export const metadata: Metadata = { title: 'No such name' }

/** Where every path that cannot be decoded leads: lib/console/http/undecodable-path.ts rewrites them before Next fails. */
export default async function UndecodablePage() {
  await requireSession('/')
  return <LeasePage name={null} table={undefined} />
}

import type { Metadata } from 'next'
import { UsersPage } from '../../../../components/settings/users/users-page.tsx'
import { NotAllowed } from '../../../../components/shell/session/not-allowed.tsx'
import { endpoints } from '../../../../lib/contract/endpoints.ts'
import { requireSession } from '../../current-session.ts'
import { isAllowed } from '../../is-allowed.ts'
import { searchText } from '../../search-text.ts'

export const metadata: Metadata = { title: 'Users' }

export default async function AllUsersPage({ searchParams }: PageProps<'/settings/users'>) {
  await requireSession(`/settings/users${searchText(await searchParams)}`)
  return (await isAllowed(endpoints.listUsers)) ? (
    <UsersPage />
  ) : (
    <NotAllowed title="Users" permission={endpoints.listUsers.permission} />
  )
}

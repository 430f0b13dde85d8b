import type { Metadata } from 'next'
import { AccountPage } from '../../../../components/settings/account-page.tsx'
import { requireSession } from '../../current-session.ts'

export const metadata: Metadata = { title: 'My account' }

export default async function MyAccountPage() {
  await requireSession('/settings/account')
  return <AccountPage />
}

import { redirect } from 'next/navigation'
import { requireSession } from '../current-session.ts'

export default async function SettingsPage() {
  await requireSession('/settings/account')
  redirect('/settings/account')
}

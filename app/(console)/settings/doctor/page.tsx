import type { Metadata } from 'next'
import { DoctorPage } from '../../../../components/doctor/doctor-page.tsx'
import { NotAllowed } from '../../../../components/shell/session/not-allowed.tsx'
import { endpoints } from '../../../../lib/contract/endpoints.ts'
import { requireSession } from '../../current-session.ts'
import { isAllowed } from '../../is-allowed.ts'

export const metadata: Metadata = { title: 'Doctor' }

export default async function DoctorSettingsPage() {
  await requireSession('/settings/doctor')
  return (await isAllowed(endpoints.getDoctor)) ? (
    <DoctorPage />
  ) : (
    <NotAllowed title="Doctor" permission={endpoints.getDoctor.permission} />
  )
}

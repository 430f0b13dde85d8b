import type { Metadata } from 'next'
import { Door } from '../../components/door/door.tsx'
import { SetupForm } from '../../components/door/setup-form.tsx'

export const metadata: Metadata = { title: 'First password', referrer: 'no-referrer' }

export default function SetupPage() {
  return (
    <Door title="Set the first password">
      <SetupForm />
    </Door>
  )
}

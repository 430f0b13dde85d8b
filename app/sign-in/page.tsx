import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Door } from '../../components/door/door.tsx'
import { SignInForm } from '../../components/door/sign-in-form.tsx'
import { safeNext } from '../../lib/contract/next-path.ts'
import { pageSession } from '../../lib/console/page-session.ts'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const next = [(await searchParams).next].flat()[0]
  const { kind } = await pageSession()
  if (kind === 'signed-in') redirect(safeNext(next))
  return (
    <Door title="Sign in">
      <SignInForm next={next} />
    </Door>
  )
}

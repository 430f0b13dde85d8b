import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { Door } from '../../components/door/door.tsx'
import { SignInForm } from '../../components/door/sign-in-form.tsx'
import { SignInNotice } from '../../components/door/sign-in-notice.tsx'
import { Unavailable } from '../../components/door/unavailable.tsx'
import { pageSession } from '../../lib/console/start/page-session.ts'
import { consoleContext } from '../../lib/console/start/started.ts'
import { safeNext } from '../../lib/contract/people/next-path.ts'
import { isSsoError } from '../../lib/contract/people/sso.ts'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const query = await searchParams
  const [next, code] = [[query.next].flat()[0], [query.error].flat()[0]]
  const error = isSsoError(code) ? code : null
  const found = await pageSession()
  if (found.kind === 'signed-in') {
    if (error === null) redirect(safeNext(next))
    // An elevation that was refused: the session goes on as it was.
    return (
      <Door title="Sign in">
        <SignInNotice error={error} ended={false} isActRefused={false} />
        <Link className="btn lg" href={safeNext(next)} prefetch={false}>
          Back to the page you were on
        </Link>
      </Door>
    )
  }
  if (found.kind === 'unavailable' && !consoleContext().versions.isKnown)
    return <Unavailable title={found.title} detail={found.detail} />
  const ended = (found.kind === 'signed-out' && found.ended) || query.ended !== undefined
  return (
    <Door title="Sign in">
      <SignInNotice error={error} ended={ended} isActRefused={query.ended === 'act'} />
      <SignInForm next={next} sso={consoleContext().sso?.config.label ?? null} />
    </Door>
  )
}

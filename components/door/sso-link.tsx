import { safeNext } from '../../lib/contract/people/next-path.ts'
import { ssoPath } from '../../lib/contract/people/sso.ts'
import { Icon } from '../ui/control/icon.tsx'

/** The other way in: a plain link, which no prefetch follows. */
export function SsoLink({ label, next }: { label: string; next: string | undefined }) {
  return (
    <>
      <span className="or">or</span>
      <a className="btn lg" href={ssoPath({ next: safeNext(next) })}>
        <Icon name="key" />
        Sign in with {label}
      </a>
    </>
  )
}

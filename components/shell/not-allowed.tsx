import type { Permission } from '../../lib/contract/permission.ts'
import { PageLink } from './page-link.tsx'

/** Instead of a page that somebody may not see. Its link is nowhere; the address may have been sent to them. */
export function NotAllowed({ title, permission }: { title: string; permission: Permission }) {
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
      </div>
      <div className="plain">
        <h2>{permission.people === 'admin' ? 'This is for admins.' : 'This is for operators and admins.'}</h2>
        <p className="mut">Your role does not include it. An admin can change your role.</p>
        <div className="acts">
          <PageLink className="btn" href="/settings/account">
            See your account
          </PageLink>
        </div>
      </div>
    </>
  )
}

import type { Permission } from '../../../lib/contract/permission.ts'
import { PageLink } from '../page-link.tsx'

/** Shown instead of a page that the user may not see. No page links to it, but a colleague may have sent its address. */
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

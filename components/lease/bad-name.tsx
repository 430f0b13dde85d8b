import { PageLink } from '../shell/page-link.tsx'

/** A page for a name that no lease can have. */
export function BadName({ name, detail }: { name: string | null; detail: string }) {
  return (
    <div className="plain">
      <h1>No lease can have this name</h1>
      <p>{detail}</p>
      {name !== null && name.length <= 2048 && (
        <p className="mono mut break-all">
          <bdi>{JSON.stringify(name)}</bdi>
        </p>
      )}
      <div className="acts">
        <PageLink className="btn" href="/">
          All leases
        </PageLink>
      </div>
    </div>
  )
}

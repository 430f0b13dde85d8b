import { PageLink } from '../shell/page-link.tsx'

/** A page for a name under which no lease can be opened. */
export function BadName({ name, detail }: { name: string | null; detail: string }) {
  return (
    <div className="plain">
      <h1>No lease of this name can be opened here</h1>
      <p>{detail}</p>
      {name !== null && (
        <p>
          A client that writes the table past Leasehold may have made one all the same. That client can
          release it; so can a statement in CQL.
        </p>
      )}
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

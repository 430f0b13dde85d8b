'use client'

interface LanesKeyProps {
  asTable: boolean
  onTable: (asTable: boolean) => void
}

/** What the forms mean, and the way to the same facts in words. */
export function LanesKey({ asTable, onTable }: LanesKeyProps) {
  return (
    <p className="lanes-key">
      {!asTable && (
        <>
          <span className="key leads">leads by Cassandra</span>
          <span className="key out">believes to lead</span>
          <span className="key hatch">stopped or cut off</span>
          <span className="key dash">until expiry, if not renewed</span>
          <span className="key dot yes">try, applied</span>
          <span className="key dot">try, not applied</span>
          <span className="key beat">renewal</span>
          <span className="key line">deadline</span>
          <span className="key red">believes wrongly</span>
          <span className="key red column">two believe at once</span>
        </>
      )}
      <button type="button" className="link" onClick={() => onTable(!asTable)}>
        {asTable ? 'Show as lanes' : 'Show as a table'}
      </button>
    </p>
  )
}

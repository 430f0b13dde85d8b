'use client'

import { useCallback, useState } from 'react'
import { auditActs } from '../../../lib/contract/audit.ts'
import type { UrlPatch } from '../../leases/address/use-url-state.ts'
import { useZone } from '../../shell/time/zone.tsx'
import { Segments } from '../../ui/text/segments.tsx'
import { actLooks } from '../entries/act-look.tsx'
import { codeWord, outcomeLooks, refusalCodes } from '../entries/outcome-look.tsx'
import { type AuditFilter, filterCount, filterNames } from './audit-filter.ts'
import { InstantFilter } from './instant-filter.tsx'
import { TypedFilter } from './typed-filter.tsx'

interface AuditFiltersProps {
  filter: AuditFilter
  change: (patch: UrlPatch, how?: 'push' | 'replace') => void
}

const noFilter: UrlPatch = {
  ...Object.fromEntries(filterNames.map((name) => [name, undefined])),
  table: undefined,
  cursor: undefined,
  above: undefined,
  entry: undefined,
}

/** Which chain, and which of its entries. Every filter stands in the URL. */
export function AuditFilters({ filter, change }: AuditFiltersProps) {
  const zone = useZone()
  const [unfolded, setUnfolded] = useState(false)
  // A new selection starts at its first page.
  const set = useCallback(
    (patch: UrlPatch, how?: 'push' | 'replace') =>
      change({ ...patch, cursor: undefined, above: undefined, entry: undefined }, how),
    [change],
  )
  const setPerson = useCallback((username: string, how: 'push' | 'replace') => set({ username }, how), [set])
  const setLease = useCallback(
    (name: string, how: 'push' | 'replace') => set({ name, table: undefined }, how),
    [set],
  )
  const count = filterCount(filter)
  const outcomes: string[] = Object.keys(outcomeLooks)
  return (
    <>
      <div className="head">
        <h1>Audit</h1>
        <Segments
          label="Chain"
          options={[
            { value: 'main', text: 'Acts' },
            { value: 'refused', text: 'Refusals' },
          ]}
          value={filter.chain}
          onChange={(chain) => set({ chain: chain === 'main' ? undefined : chain })}
        />
        <div className="push">
          <button
            type="button"
            className="btn fold"
            aria-expanded={unfolded}
            aria-controls="audit-filters"
            onClick={() => setUnfolded(!unfolded)}
          >
            {count === 0 ? 'Filter the log' : `Filter the log, ${count} on`}
          </button>
        </div>
      </div>
      <fieldset className="filters" id="audit-filters" data-unfolded={unfolded || undefined}>
        <legend className="vh">Filter the log</legend>
        <div className="field">
          <label htmlFor="filter-act">Act</label>
          <select
            id="filter-act"
            className="in"
            value={filter.act ?? ''}
            onChange={(event) => set({ act: event.target.value })}
          >
            <option value="">Any act</option>
            {auditActs.map((act) => (
              <option key={act} value={act}>
                {actLooks[act].word}
              </option>
            ))}
          </select>
        </div>
        <TypedFilter
          id="filter-person"
          label="Person"
          value={filter.username ?? ''}
          maxLength={128}
          onChange={setPerson}
        />
        <TypedFilter
          id="filter-lease"
          label={filter.table ? `Lease, in ${filter.table}` : 'Lease'}
          value={filter.name ?? ''}
          maxLength={512}
          onChange={setLease}
        />
        <div className="field">
          <label htmlFor="filter-outcome">Outcome</label>
          <select
            id="filter-outcome"
            className="in"
            value={filter.outcome ?? ''}
            onChange={(event) => set({ outcome: event.target.value })}
          >
            <option value="">Any outcome</option>
            {filter.outcome && ![...outcomes, ...refusalCodes].includes(filter.outcome) && (
              <option value={filter.outcome}>{filter.outcome}</option>
            )}
            {outcomes.map((outcome) => (
              <option key={outcome} value={outcome}>
                {outcomeLooks[outcome]?.word}
              </option>
            ))}
            <optgroup label="Refused because">
              {refusalCodes.map((code) => (
                <option key={code} value={code}>
                  {codeWord(code)}
                </option>
              ))}
            </optgroup>
          </select>
        </div>
        {(['from', 'to'] as const).map((end) => (
          <InstantFilter
            key={`${end} ${zone} ${filter[end] ?? ''}`}
            id={`filter-${end}`}
            label={`${end === 'from' ? 'From' : 'Before'}, ${zone === 'utc' ? 'UTC' : 'local time'}`}
            value={filter[end]}
            zone={zone}
            onChange={(instant) => set({ [end]: instant })}
          />
        ))}
        <button type="button" className="btn quiet" disabled={count === 0} onClick={() => change(noFilter)}>
          Show all
        </button>
      </fieldset>
    </>
  )
}

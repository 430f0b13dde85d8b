'use client'

import { PageLink } from '../../shell/page-link.tsx'
import { Say } from '../../ui/text/say.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { listPath, tableParam } from '../address/lease-link.ts'
import { useTable } from '../address/use-table.ts'

/** An address with a table that is not configured: says so once, with the ways out. */
export function UnknownTable({ table }: { table: string }) {
  const { tables } = useTable(table)
  return (
    <div className="plain">
      <Say
        tone="danger"
        icon="risk"
        role="alert"
        title={
          <>
            No table{' '}
            <bdi className="seen mono break-all">
              <SeenText text={table} />
            </bdi>{' '}
            is configured here.
          </>
        }
      >
        {tables.length === 0
          ? 'Check the address.'
          : 'Check the address, or open a table that is configured:'}
      </Say>
      <div className="acts flex flex-wrap gap-2">
        {tables.map(({ id, keyspace, table: name }) => (
          <PageLink key={id} className="btn mono" href={listPath(tableParam(id))}>
            {keyspace}.{name}
          </PageLink>
        ))}
      </div>
    </div>
  )
}

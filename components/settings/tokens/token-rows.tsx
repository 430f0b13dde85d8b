// biome-ignore-all lint/a11y/useSemanticElements: its rows are grids, which those of a table element cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons and links in a row take the focus, not the row
'use client'

import { anyTable } from '../../../lib/contract/people/rights.ts'
import type { ApiToken } from '../../../lib/contract/programs/token.ts'
import { PersonLink } from '../../audit/entries/object-text.tsx'
import { Instant } from '../../shell/time/instant.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { RowsTable } from '../../ui/rows/rows-table.tsx'
import { SeenText } from '../../ui/text/seen-text.tsx'
import { tokenRoleTitles, tokenRoleWords } from '../users/role-words.ts'
import { TokenUse } from './token-use.tsx'

interface TokenRowsProps {
  tokens: readonly ApiToken[]
  loading: boolean
  stale: boolean
  lock: string | null
  /** When a token was used last, by the page's clock; null: never. */
  usedAtMs: (token: ApiToken) => number | null
  onRevoke: (token: ApiToken) => void
}

const heads = [
  ['Name', 'c-name'],
  ['Role', 'c-role'],
  ['Names that begin with', 'c-prefixes'],
  ['Made by', 'c-by'],
  ['Made', 'c-since'],
  ['Last used', 'c-use'],
] as const

/** The tokens of programs. */
export function TokenRows({ tokens, loading, stale, lock, usedAtMs, onRevoke }: TokenRowsProps) {
  return (
    <RowsTable
      label="Tokens"
      kind="tokens"
      heads={heads}
      lastHead="Actions"
      loading={loading}
      awaitedRows={3}
      stale={stale}
    >
      {tokens.map((token) => (
        <div key={token.id} role="row">
          <span role="cell" className="c-name cut" title={`${token.name} · ${token.id}`}>
            <bdi className="seen">
              <SeenText text={token.name} />
            </bdi>
          </span>
          <span role="cell" className="c-role" title={tokenRoleWords[token.role]}>
            {tokenRoleTitles[token.role]}
          </span>
          <span role="cell" className="c-prefixes">
            <PrefixesText prefixes={token.prefixes} />
            <TablesText tables={token.tables} />
          </span>
          <span role="cell" className="c-by cut">
            <PersonLink username={token.createdBy} />
          </span>
          <span role="cell" className="c-since mut">
            <Instant at={token.createdAt} />
          </span>
          <span role="cell" className="c-use mut">
            <TokenUse usedAtMs={usedAtMs(token)} />
          </span>
          <span role="cell" className="deeds">
            <LockedButton className="btn sm" lock={lock} onClick={() => onRevoke(token)}>
              Revoke…<span className="vh"> {token.name}</span>
            </LockedButton>
          </span>
        </div>
      ))}
    </RowsTable>
  )
}

/** The tables, where they are not the default one. */
function TablesText({ tables }: { tables: readonly string[] }) {
  if (tables.includes(anyTable)) return <span className="dim"> in every table</span>
  return tables.join() === 'leases' ? null : <span className="dim"> in {tables.join(', ')}</span>
}

/** The prefixes, letter for letter; the one of every name is said in the console's own voice. */
function PrefixesText({ prefixes }: { prefixes: readonly string[] }) {
  if (prefixes.length === 0) return <span className="dim">no name</span>
  if (prefixes.includes('')) return <span className="text-warn">every name</span>
  return prefixes.map((prefix) => (
    <bdi key={prefix} className="pfx seen">
      <SeenText text={prefix} />
    </bdi>
  ))
}

'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../lib/client/call/call.ts'
import { errorWords } from '../../../lib/client/call/error-words.ts'
import { clusterQuery } from '../../../lib/client/call/queries.ts'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { LockedButton } from '../../ui/control/locked-button.tsx'
import { Code } from '../../ui/text/code.tsx'
import { Say } from '../../ui/text/say.tsx'
import { Segments } from '../../ui/text/segments.tsx'
import { useTable } from '../address/use-table.ts'
import { type SnippetKind, snippet, snippetKinds } from './snippets.ts'

const firstName = 'demo/first-lease'
const firstTtlSeconds = 60
/** `npm run dev` has data of its own. */
const dataDir = process.env.NODE_ENV === 'development' ? '.leasehold-dev' : '.leasehold'

/** Ways to make a lease from outside, as this table takes them. */
export function Snippets({ table }: { table: string | undefined }) {
  const [chosen, setKind] = useState<SnippetKind>()
  const { data } = useQuery(clusterQuery)
  const { facts } = useTable(table)
  if (!data || !facts) return null
  const options = snippetKinds(facts)
  const kind = chosen ?? options[0].value
  const { embedded, keyspace = facts.keyspace } = data.data
  const text = snippet(kind, { origin: location.origin, embedded, dataDir, keyspace, table: facts })
  return (
    <div className="cql">
      <header>
        <Segments<SnippetKind> label="How" options={options} value={kind} onChange={setKind} />
        <span className="push">
          <CopyButton text={text} label="Copy" />
        </span>
      </header>
      <pre>
        <Code text={text} />
      </pre>
    </div>
  )
}

/** Makes one lease, so that there is something to see. */
export function MakeFirstLease({ lock, table }: { lock: string | null; table: string | undefined }) {
  const { facts } = useTable(table)
  // A second click comes before React has drawn that the first is under way.
  const sent = useRef(false)
  const make = useMutation({
    mutationFn: () =>
      call('putLock', {
        params: { name: firstName },
        query: { table },
        body: {
          ttlSeconds: firstTtlSeconds,
          // Before the facts are known, as most tables have one.
          value: facts?.hasValue === false ? undefined : 'made in the console',
        },
      }),
    onSettled: () => {
      sent.current = false
    },
  })
  const words = make.isError ? errorWords(make.error) : null
  return (
    <>
      <LockedButton
        className="btn"
        icon="plus"
        lock={lock}
        onClick={() => {
          if (sent.current) return
          sent.current = true
          make.mutate()
        }}
      >
        {make.isPending ? 'Making it…' : `Make one here, for ${firstTtlSeconds} s`}
      </LockedButton>
      {words && (
        <Say tone="danger" icon="risk" title={words.title} role="alert">
          {words.detail}
        </Say>
      )}
    </>
  )
}

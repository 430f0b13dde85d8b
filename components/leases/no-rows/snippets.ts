import type { ClusterTable } from '../../../lib/contract/leases/cluster.ts'

/** How to make a lease from outside the console. Each one works once the placeholders are filled in. */

export const snippetName = 'billing/invoice-run'

interface SnippetFacts {
  /** The console's own address. */
  origin: string
  /** The console runs the node itself. */
  embedded: boolean
  /** Where that node keeps its data. */
  dataDir: string
  table: ClusterTable
}

export type SnippetKind = 'typescript' | 'curl' | 'cql'

/** The ways that lead to this table: the console writes to none that is read-only. */
export const snippetKinds = ({ readOnly }: Pick<ClusterTable, 'readOnly'>) =>
  [
    { value: 'typescript', text: 'TypeScript' },
    { value: 'curl', text: 'curl' },
    { value: 'cql', text: 'CQL' },
  ].filter(({ value }) => !(readOnly && value === 'curl')) as [
    { value: SnippetKind; text: string },
    ...{ value: SnippetKind; text: string }[],
  ]

export function snippet(kind: SnippetKind, facts: SnippetFacts): string {
  if (kind === 'typescript') return typescript(facts)
  return kind === 'curl' ? curl(facts) : cql(facts)
}

function typescript({ embedded, dataDir, table: { keyspace, table, columns } }: SnippetFacts): string {
  const usual =
    table === 'leases' && columns.name === 'name' && columns.owner === 'owner' && columns.value === 'value'
  const literal = (text: string | null) => (text === null ? 'null' : `'${text}'`)
  const mapping = `{
  table: '${table}', name: '${columns.name}', owner: ${literal(columns.owner)}, value: ${literal(columns.value)},
}`
  const [imported, connection] = embedded
    ? [
        `import { readFileSync } from 'node:fs'\n`,
        // With the role for programs, and its password.
        `  ...JSON.parse(readFileSync('${dataDir}/cassandra.json', 'utf8')),`,
      ]
    : ['', `  contactPoints: ['127.0.0.1:9042'], // your cluster’s\n  localDataCenter: 'datacenter1',`]
  return `${imported}import { CassandraLeaseStore, connect } from 'leasehold/cassandra'
import { Leases } from 'leasehold/lease'

const session = await connect({
${connection}
  keyspace: '${keyspace}',
})
const store = new CassandraLeaseStore(session${usual ? '' : `, ${mapping}`})
const leases = new Leases({ store })
const lease = await leases.acquire('${snippetName}', {
  ttlSeconds: 30,${columns.value === null ? '' : " value: 'step=1',"}
})
console.log('token', lease.token)
// work; it is renewed, and lease.signal aborts if it is lost
await lease.release()
await session.close()`
}

function curl({ origin, table: { id, hasValue } }: SnippetFacts): string {
  const query = id === 'leases' ? '' : `?table=${encodeURIComponent(id)}`
  return `# sign in once; the cookie goes into a file
curl -c cookies ${origin}/v1/session \\
  -H 'Origin: ${origin}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "username": "admin", "password": "…" }'

curl -b cookies '${origin}/v1/locks/${encodeURIComponent(snippetName)}${query}' \\
  -X PUT \\
  -H 'Origin: ${origin}' \\
  -H 'Content-Type: application/json' \\
  -d '{ "ttlSeconds": 30${hasValue ? ', "value": "step=1"' : ''} }'`
}

function cql({ embedded, table: { keyspace, table, columns } }: SnippetFacts): string {
  const cells: [string | null, string][] = [
    [columns.name, snippetName],
    [columns.owner, 'client_unique_id_1'],
    [columns.value, 'step=1'],
  ]
  const written = cells.filter(([column]) => column !== null)
  return `${embedded ? '-- npm run cql -- "INSERT …"\n' : ''}INSERT INTO ${cqlName(keyspace)}.${cqlName(table)} (${written.map(([column]) => cqlName(column ?? '')).join(', ')})
VALUES (${written.map(([, text]) => `'${text}'`).join(', ')})
IF NOT EXISTS USING TTL 30;`
}

/** Cassandra takes what is not quoted for small letters. */
const cqlName = (name: string) => (/^[a-z][a-z0-9_]*$/.test(name) ? name : `"${name}"`)

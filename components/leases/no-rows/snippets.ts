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
  /** The console's own keyspace: requests to resign and queues are there. */
  keyspace: string
  table: ClusterTable
}

export type SnippetKind = 'typescript' | 'curl' | 'cql'

interface SnippetOption {
  value: SnippetKind
  text: string
}

const options: SnippetOption[] = [
  { value: 'typescript', text: 'TypeScript' },
  { value: 'curl', text: 'curl' },
  { value: 'cql', text: 'CQL' },
]

/**
 * The ways that lead to this table: the console writes to none that is read-only, and the library keeps no lease alive
 * whose row has no owner. CQL always does.
 */
export const snippetKinds = ({ readOnly, hasOwner }: Pick<ClusterTable, 'readOnly' | 'hasOwner'>) =>
  options.filter(({ value }) => (hasOwner || value !== 'typescript') && (!readOnly || value !== 'curl')) as [
    SnippetOption,
    ...SnippetOption[],
  ]

export function snippet(kind: SnippetKind, facts: SnippetFacts): string {
  if (kind === 'typescript') return typescript(facts)
  return kind === 'curl' ? curl(facts) : cql(facts)
}

function typescript(facts: SnippetFacts): string {
  const { embedded, dataDir, keyspace, table } = facts
  const { columns } = table
  const usual =
    table.keyspace === keyspace &&
    table.table === 'leases' &&
    columns.name === 'name' &&
    columns.owner === 'owner' &&
    columns.value === 'value'
  const readsFile = embedded ? `import { readFileSync } from 'node:fs'\n` : ''
  const imports = usual
    ? `import { connect, Leases } from 'leasehold'`
    : `import { CassandraLeaseStore, CassandraResignRequests, CassandraTicketStore, connect } from 'leasehold/cassandra'
import { Leases } from 'leasehold/lease'`
  // The file has the role for programs, its password, and the console's keyspace.
  const connection = embedded
    ? `JSON.parse(readFileSync('${dataDir}/cassandra.json', 'utf8'))`
    : `{
  contactPoints: ['127.0.0.1:9042'], // your cluster’s
  localDataCenter: 'datacenter1',
  keyspace: '${keyspace}',
}`
  return `${readsFile}${imports}

${embedded ? '// where LEASEHOLD_DATA_DIR is set, the file is there\n' : ''}const session = await connect(${connection})
${usual ? 'const leases = new Leases(session)' : mappedLeases(table)}
const lease = await leases.acquire('${snippetName}', {
  ttlSeconds: 30,${columns.value === null ? '' : " value: 'step=1',"}
})
console.log('token', lease.token)
// work; it is renewed, and lease.signal aborts if it is lost
await lease.release()
await leases.close()
await session.close()`
}

/** With the requests to resign and the queue of this table: the session has those of the usual one. */
function mappedLeases({ keyspace, table, columns: { name, owner, value } }: ClusterTable): string {
  const literal = (text: string | null) => (text === null ? 'null' : `'${text}'`)
  return `const mapping = { keyspace: '${keyspace}', table: '${table}', name: '${name}', owner: ${literal(owner)}, value: ${literal(value)} }
const leases = new Leases({
  store: new CassandraLeaseStore(session, mapping),
  tickets: new CassandraTicketStore(session, mapping),
  resignRequests: new CassandraResignRequests(session, mapping),
})`
}

function curl({ origin, table: { id, hasValue } }: SnippetFacts): string {
  const query = id === 'leases' ? '' : `?table=${encodeURIComponent(id)}`
  return `# in bash, which asks for a token of Settings, Tokens, so that it stands in no command line
read -rsp 'Token: ' token; echo

curl -H @<(echo "Authorization: Bearer $token") \\
  '${origin}/v1/locks/${encodeURIComponent(snippetName)}${query}' \\
  -X PUT \\
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

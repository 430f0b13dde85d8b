/** For integration tests alone: the table in a keyspace of its own, and the command over it. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CassandraSession } from 'leasehold/cassandra'
import { temporaryFolder } from '../../../../scripts/test/temporary-folder.mjs'
import {
  testContactPoint,
  testCredentialsEnvironment,
  testSession,
} from '../../../leasehold/test/node-session.ts'
import { migrations } from '../../store/schema/schema.ts'
import type { Anchor } from '../anchors/anchor.ts'
import type { AuditKey } from '../anchors/audit-key.ts'

export async function auditKeyspace(keyspace: string): Promise<CassandraSession> {
  const session = await testSession(keyspace)
  // A change of the schema writes to the disk, for which a busy machine takes longer than the driver's 12 s.
  const options = { readTimeout: 60_000 }
  await session.client.execute(`DROP TABLE IF EXISTS "${keyspace}".audit_log`, [], options)
  const migration = migrations.find(({ version }) => version === 4)
  for (const statement of migration?.statements ?? [])
    await session.client.execute(statement.replace('$k', `"${keyspace}"`), [], options)
  return session
}

export interface CommandOutput {
  code: number
  out: string
  err: string
}

/** `npm run audit -- …` on a keyspace of the test run's node. */
export function auditCommand(
  keyspace: string,
  { bytes }: AuditKey,
  anchors: readonly Anchor[],
): (...args: string[]) => Promise<CommandOutput> {
  const dataDir = temporaryFolder('leasehold-audit')
  return (...args) => {
    writeFileSync(join(dataDir, 'audit-key'), bytes.toString('base64'))
    writeFileSync(
      join(dataDir, 'audit-anchors.jsonl'),
      anchors.map((anchor) => `${JSON.stringify(anchor)}\n`).join(''),
    )
    const env = {
      ...process.env,
      CASSANDRA_CONTACT_POINTS: testContactPoint(),
      ...testCredentialsEnvironment(),
      CASSANDRA_KEYSPACE: keyspace,
      LEASEHOLD_DATA_DIR: dataDir,
    }
    const script = resolve(import.meta.dirname, '../../../../scripts/audit.mjs')
    return new Promise((done) => {
      execFile(
        process.execPath,
        [script, ...args],
        { env, timeout: 170_000, maxBuffer: 2 ** 26 },
        (error, out, err) =>
          done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
      )
    })
  }
}

/**
 * The levels of the console's statements. The integration tests have one node, where all levels do the same: on three, an
 * append that read the head of the audit log below SERIAL would go by a head that another console has moved.
 */
import cassandra from 'cassandra-driver'
import type { SerialLevel, Statement } from 'leasehold/cassandra'
import { expect, it } from 'vitest'
import { keyStatements } from '../audit/anchors/key-statements.ts'
import { auditStatements } from '../audit/chain/audit-statements.ts'
import { recordingStatements } from '../history/history-statements.ts'
import { labStatements } from '../lab/journal/lab-statements.ts'
import { plainClientStatements } from '../lab/run/plain/plain-client-statements.ts'
import { peopleStatements } from '../people/people-statements.ts'
import { tokenStatements } from '../programs/tokens/token-statements.ts'
import { releaseStatements } from '../releases/release-statements.ts'
import { answerStatements } from './answers/answer-statements.ts'
import { migrationStatements } from './schema/migration-statements.ts'

const { consistencies } = cassandra.types
const levels = {
  SERIAL: { quorum: consistencies.quorum, serial: consistencies.serial },
  LOCAL_SERIAL: { quorum: consistencies.localQuorum, serial: consistencies.localSerial },
}

const statementsOf = (serial: SerialLevel): Record<string, object> => {
  const { append, ...audit } = auditStatements('k', serial)
  const { ttlSeconds: _, ...lab } = labStatements('k', serial)
  return {
    audit: { ...audit, append: append(1, null), appendForSomeTime: append(2, 60) },
    keys: keyStatements('k', serial),
    people: peopleStatements('k', serial),
    tokens: tokenStatements('k', serial),
    releases: releaseStatements('k', serial),
    answers: answerStatements('k', serial),
    recordings: recordingStatements('k', serial),
    migrations: migrationStatements('k', serial),
    lab,
    plainClient: plainClientStatements('k', serial),
  }
}

/** conditional: a write with IF. confirmed: a read at SERIAL. plain: all others, at quorum. */
const expected = {
  audit: {
    conditional: 'append appendForSomeTime',
    confirmed: 'appended head rowsFrom',
    plain: 'buckets bucketsAfter rowsBefore',
  },
  keys: { conditional: 'insert replace', confirmed: 'read', plain: '' },
  people: {
    conditional: 'changeUser deleteSession insertSession insertUser renewUser rewriteSession sealUser',
    confirmed: 'confirmSession confirmUser userTimes',
    plain: 'listUsers overwriteUser readSession readSessions readUser readUsers',
  },
  tokens: {
    conditional: 'deleteToken insertToken noteRevocation sealToken',
    confirmed: 'confirmRevocation confirmToken',
    plain:
      'deleteTokenUse listTokenUses listTokens noteTokenUse readRevocation readRevocations readToken readTokens',
  },
  releases: {
    conditional: 'insert move',
    confirmed: 'read',
    plain: 'await awaiting recent remember stopAwaiting',
  },
  answers: { conditional: 'claim drop keep', confirmed: 'read', plain: '' },
  recordings: { conditional: '', confirmed: '', plain: 'ofDay write' },
  migrations: { conditional: '', confirmed: '', plain: 'insertMigration readMigrations' },
  lab: {
    conditional: 'deleteTerm',
    confirmed: 'readCounters',
    plain: 'deleteCounters deleteRequests entriesFrom run runsOfDay writeEntries writeRun writeUnfenced',
  },
  plainClient: { conditional: 'insert release renewAll renewOwner', confirmed: '', plain: '' },
}

it.each(['SERIAL', 'LOCAL_SERIAL'] as const)(
  'with %s each statement has the level that it needs',
  (serial) => {
    const { quorum, serial: confirmed } = levels[serial]
    const kindOf = ({ consistency, serialConsistency }: Statement): string => {
      if (consistency === quorum && serialConsistency === confirmed) return 'conditional'
      if (serialConsistency !== undefined) return `${consistency}, ${serialConsistency}`
      return consistency === quorum ? 'plain' : consistency === confirmed ? 'confirmed' : `${consistency}`
    }
    const found = Object.entries(statementsOf(serial)).map(([store, statements]) => {
      const byKind: Record<string, string> = { conditional: '', confirmed: '', plain: '' }
      for (const name of Object.keys(statements).sort()) {
        const kind = kindOf(statements[name as keyof typeof statements])
        byKind[kind] = `${byKind[kind] ?? ''} ${name}`.trim()
      }
      return [store, byKind]
    })
    expect(Object.fromEntries(found)).toEqual(expected)
  },
)

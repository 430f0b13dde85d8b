import { expect, it } from 'vitest'
import {
  LeaseLostError,
  OutcomeUnknownError,
  quarantineMark,
  StatementUnknownError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../../lease/index.ts'
import type { Connection } from '../connection/connection.ts'
import { failureText, lossText, operatorOf } from './loss-text.ts'

const mark = quarantineMark('r1')
const lostTo = (holder: string | null) => new LeaseLostError('job', 'me', 'not-holder', holder)
const marked = (value: string | null, owner = mark) => Promise.resolve({ owner, value })
const note = JSON.stringify({ quarantine: { was: 'me', by: 'ann', at: '2026-01-01T00:00:00.000Z' } })

it.each([
  [lostTo(mark), null, 'The lease "job" is lost: an operator broke it'],
  [lostTo(mark), 'ann', 'The lease "job" is lost: ann broke it'],
  [lostTo('bob'), null, 'The lease "job" is lost: a renewal was refused, because bob holds it'],
  [lostTo(null), null, 'The lease "job" is lost: a renewal was refused: it has another holder, or none'],
  [
    new LeaseLostError('job', 'me', 'deadline', null),
    null,
    'The lease "job" is lost: its deadline passed before a renewal was answered',
  ],
])('%s, by %j', (reason, operator, text) => expect(lossText(reason, operator)).toBe(text))

it.each([
  ['its mark', lostTo(mark), () => marked(note), 'ann'],
  ['a mark without a value', lostTo(mark), () => marked(null), null],
  ['a value of another kind', lostTo(mark), () => marked('{'), null],
  ['the mark of a later break', lostTo(mark), () => marked(note, quarantineMark('r2')), null],
  ['a row that is gone', lostTo(mark), () => Promise.resolve(null), null],
  ['no read', lostTo(mark), () => Promise.reject(new StoreUnavailableError('x')), null],
  ['a lease that was not broken', lostTo('bob'), () => marked(note), null],
])('the operator who broke a lease, from %s', async (_, reason, read, operator) =>
  expect(await operatorOf(reason, read)).toBe(operator),
)

const cassandra = {
  kind: 'cassandra',
  connect: { contactPoints: ['10.0.0.5', '10.0.0.6:9043'] },
} as unknown as Connection
const server = { kind: 'server' } as Connection

it.each([
  [undefined, cassandra, undefined],
  [
    new StoreUnavailableError('No node of Cassandra can be reached.'),
    cassandra,
    'Cassandra at 10.0.0.5, 10.0.0.6:9043 does not answer',
  ],
  [
    new StatementUnknownError('No answer came: broken pipe', 'never'),
    cassandra,
    'Cassandra at 10.0.0.5, 10.0.0.6:9043 does not answer',
  ],
  // It answers, without a quorum say.
  [
    new StatementUnknownError('Cassandra did not finish in time (0x1100): CAS.', 'read'),
    cassandra,
    'Cassandra did not finish in time (0x1100): CAS',
  ],
  [new StoreRefusedError('Cassandra refused: no MODIFY.'), cassandra, 'Cassandra refused: no MODIFY'],
  [
    new StoreUnavailableError('The server a:1 cannot be reached (ECONNREFUSED).'),
    server,
    'The server a:1 cannot be reached (ECONNREFUSED)',
  ],
  [new OutcomeUnknownError('It is unknown.', 'job', 'me'), server, 'It is unknown'],
])('a renewal failed: %s', (failure, connection, text) => expect(failureText(failure, connection)).toBe(text))

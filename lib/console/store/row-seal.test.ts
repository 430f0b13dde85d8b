import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowSeal, type SealedColumns, type SealedValue } from './row-seal.ts'

const key = randomBytes(32)
const seal = new RowSeal(key)
const user = {
  username: 'ann',
  role: 'admin',
  disabled: false,
  password_hash: '$argon2id$…',
  created_at: new Date(1_790_000_000_123),
  subject: null,
  prefixes: ['a', 'b'],
}

describe('a seal', () => {
  const sealed = seal.seal('users', 7n, user)

  it('holds for the row that it was made for, whatever the order of its columns', () => {
    expect(sealed).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(seal.check('users', 7n, user, sealed)).toBe(true)
    expect(seal.check('users', 7, user, sealed)).toBe(true)
    const turned = Object.fromEntries(Object.entries(user).reverse())
    expect(seal.check('users', 7n, turned, sealed)).toBe(true)
    expect(new RowSeal(Buffer.from(key)).check('users', 7n, user, sealed)).toBe(true)
  })

  const changes: [string, SealedColumns][] = [
    ['a role', { ...user, role: 'viewer' }],
    ['a boolean', { ...user, disabled: true }],
    ['another row', { ...user, username: 'eve' }],
    ['null to empty', { ...user, subject: '' }],
    ['empty to a list', { ...user, subject: [] }],
    ['a millisecond', { ...user, created_at: new Date(1_790_000_000_124) }],
    ['a date to its number', { ...user, created_at: 1_790_000_000_123 }],
    ['a boolean to its text', { ...user, disabled: 'false' }],
    ['a list joined', { ...user, prefixes: ['ab'] }],
    ['a list turned', { ...user, prefixes: ['b', 'a'] }],
    ['a column more', { ...user, extra: null }],
    ['a column less', Object.fromEntries(Object.entries(user).filter(([name]) => name !== 'subject'))],
    ['values that change columns', { ...user, role: user.username, username: user.role }],
  ]
  it.each(changes)('does not hold after a change: %s', (_, changed) => {
    expect(seal.check('users', 7n, changed, sealed)).toBe(false)
  })

  it('does not hold in another table, for another version, under another key, or without a value', () => {
    expect(seal.check('sessions', 7n, user, sealed)).toBe(false)
    expect(seal.check('users', 8n, user, sealed)).toBe(false)
    expect(new RowSeal(randomBytes(32)).check('users', 7n, user, sealed)).toBe(false)
    for (const none of [
      null,
      undefined,
      '',
      'x',
      sealed.slice(1),
      `${sealed}AA`,
      seal.seal('users', 8n, user),
    ])
      expect(seal.check('users', 7n, user, none)).toBe(false)
  })

  it('is made of what a column can hold alone', () => {
    for (const odd of [undefined, Number.NaN, Number.POSITIVE_INFINITY, new Date(Number.NaN), {}, () => 1])
      expect(() => seal.seal('users', 1n, { odd: odd as SealedValue })).toThrow(TypeError)
  })
})

/** Text as Cassandra keeps it: a lone surrogate is one more U+FFFD there. */
const text = fc.string({ unit: fc.constantFrom('a', ':', '1', '2', 's', 'n', '0', 'é', '😀', '') })
const leaf = fc.oneof(
  text,
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.date({ noInvalidDate: true }),
)
const value: fc.Arbitrary<SealedValue> = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }))
const columns = fc.dictionary(text, value, { maxKeys: 4 })
const tell = (row: SealedColumns) =>
  JSON.stringify(
    Object.keys(row)
      .sort()
      .map((name) => [name, kindOf(row[name] as SealedValue)]),
  )
const kindOf = (held: SealedValue): unknown =>
  Array.isArray(held)
    ? held.map(kindOf)
    : [held instanceof Date ? 'date' : typeof held, held instanceof Date ? held.getTime() : String(held)]

it('different rows have different seals', () => {
  fc.assert(
    fc.property(text, text, columns, columns, (table, other, one, two) => {
      const same = table === other && tell(one) === tell(two)
      expect(seal.seal(table, 1n, one) === seal.seal(other, 1n, two)).toBe(same)
    }),
    { numRuns: 2_000, seed: 10 },
  )
})

import type { CassandraSession } from 'leasehold/cassandra'
import { z } from 'zod'
import { type AuditStatements, auditStatements } from './audit-statements.ts'
import type { AuditRow } from './entry-body.ts'

/** The head of a bucket as it is stored; nulls: nothing was written there. */
export interface StoredHead {
  seq: number | null
  hash: string | null
  bytes: number
  /** Of a sealed bucket: the next bucket. */
  next: string | null
  /** The bucket before it. */
  previous: string | null
  /** The last row of the bucket. It is the head's, unless one of them was changed past the protocol. */
  last: AuditRow | null
  /** The shorter TTL of the head and the last row; null: neither has one. */
  ttlSeconds: number | null
}

/** The rows and the head of an append, read back. */
export interface Appended {
  rows: Pick<AuditRow, 'seq' | 'id' | 'hash'>[]
  head: Pick<StoredHead, 'seq' | 'hash' | 'next' | 'ttlSeconds'>
}

export interface Append {
  partition: string
  /** The head as it was read: the condition. */
  from: Pick<StoredHead, 'seq' | 'hash'>
  to: { seq: number; hash: string; bytes: number; next?: string | undefined; previous?: string | undefined }
  rows: AuditRow[]
  /** null: for ever. */
  ttlSeconds: number | null
}

/** The store of a chain: the statement layer, which tests replace. */
export interface AuditStore {
  /** Confirmed. @throws StoreUnavailableError */
  head(partition: string): Promise<StoredHead>
  /**
   * All or nothing. @returns whether it was applied
   * @throws StatementUnknownError, StoreUnavailableError, StoreRefusedError
   */
  append(append: Append): Promise<boolean>
  /** From this sequence number on, so many rows, and the head beside them; confirmed. @throws StoreUnavailableError */
  appended(partition: string, seq: number, count: number): Promise<Appended>
  /** From this sequence number on, ascending, confirmed. */
  rowsFrom(partition: string, seq: number, limit: number): Promise<AuditRow[]>
  /** Below this sequence number, descending. */
  rowsBefore(partition: string, seq: number, limit: number): Promise<AuditRow[]>
  /** Of all chains, in no order. A partition that is just being begun may be missing. */
  partitions(): Promise<string[]>
}

const headSchema = z.object({
  seq: z.number().nullable(),
  row_ttl: z.number().nullable(),
  head_seq: z.number().nullable(),
  head_hash: z.string().nullable(),
  head_ttl: z.number().nullable(),
  head_bytes: z.number().nullable(),
  head_next: z.string().nullable(),
  prev_bucket: z.string().nullable(),
})
/** Columns may be null in a row that was tampered with; it is still a row, and `verify` names it. */
const rowSchema = z.object({
  seq: z.number(),
  id: z.string().nullable().default(null),
  body: z.string().nullable().default(null),
  prev: z.string().nullable().default(null),
  hash: z.string().nullable().default(null),
})

const rowsOf = (rows: unknown[]): AuditRow[] =>
  rows.map((row) => {
    const { seq, id, body, prev, hash } = rowSchema.parse(row)
    return { seq, id: id ?? '', body: body ?? '', prev: prev ?? '', hash: hash ?? '' }
  })

const shorter = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other)

export class CassandraAuditStore implements AuditStore {
  readonly #session: CassandraSession
  readonly #statements: AuditStatements

  constructor(session: CassandraSession) {
    this.#session = session
    this.#statements = auditStatements(session.keyspace, session.serial)
  }

  async head(partition: string): Promise<StoredHead> {
    const { rows } = await this.#session.execute(this.#statements.head, [partition])
    if (rows[0] === undefined)
      return { seq: null, hash: null, bytes: 0, next: null, previous: null, last: null, ttlSeconds: null }
    const row = headSchema.parse(rows[0])
    return {
      seq: row.head_seq,
      hash: row.head_hash,
      bytes: row.head_bytes ?? 0,
      next: row.head_next,
      previous: row.prev_bucket,
      last: row.seq === null ? null : (rowsOf([rows[0]])[0] as AuditRow),
      ttlSeconds: shorter(row.row_ttl, row.head_ttl),
    }
  }

  async appended(partition: string, seq: number, count: number): Promise<Appended> {
    const { rows } = await this.#session.execute(this.#statements.appended, [partition, seq, count])
    const heads = rows.map((row) => headSchema.parse(row))
    const ttls = heads.map(({ row_ttl, head_ttl }) => shorter(row_ttl, head_ttl))
    const [head] = heads
    return {
      rows: rowsOf(rows),
      head: {
        seq: head?.head_seq ?? null,
        hash: head?.head_hash ?? null,
        next: head?.head_next ?? null,
        ttlSeconds: ttls.reduce(shorter, null),
      },
    }
  }

  async append({ partition, from, to, rows, ttlSeconds }: Append): Promise<boolean> {
    const answer = await this.#session.execute(this.#statements.append(rows.length, ttlSeconds), [
      to.seq,
      to.hash,
      to.bytes,
      // undefined leaves a column as it is; null would write a tombstone at every append.
      to.next,
      to.previous,
      partition,
      from.seq,
      from.hash,
      ...rows.flatMap(({ seq, id, body, prev, hash }) => [partition, seq, id, body, prev, hash]),
    ])
    return answer.rows[0]?.['[applied]'] === true
  }

  async rowsFrom(partition: string, seq: number, limit: number): Promise<AuditRow[]> {
    return rowsOf((await this.#session.execute(this.#statements.rowsFrom, [partition, seq, limit])).rows)
  }

  async rowsBefore(partition: string, seq: number, limit: number): Promise<AuditRow[]> {
    return rowsOf((await this.#session.execute(this.#statements.rowsBefore, [partition, seq, limit])).rows)
  }

  async partitions(): Promise<string[]> {
    const all: string[] = []
    for (;;) {
      const last = all.at(-1)
      const { rows } =
        last === undefined
          ? await this.#session.execute(this.#statements.buckets, [])
          : await this.#session.execute(this.#statements.bucketsAfter, [last])
      if (rows.length === 0) return all
      all.push(...rows.map((row) => String(row.bucket)))
    }
  }
}

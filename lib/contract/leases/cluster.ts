import { z } from 'zod'
import { instantSchema } from '../text.ts'

/**
 * The state of Cassandra, for the strip on top of every page. Answered only after a SERIAL read succeeded: else 503.
 */
export const clusterSchema = z.object({
  name: z.string(),
  embedded: z.boolean(),
  /** The console’s own: requests to resign and queues are in it. Left out: by an older console. */
  keyspace: z.string().optional(),
  nodesUp: z.number().int(),
  nodes: z.number().int(),
  /** The SERIAL read that this answer rests on. */
  serialReadMs: z.number(),
  tables: z.array(
    z.object({
      id: z.string(),
      keyspace: z.string(),
      table: z.string(),
      readOnly: z.boolean(),
      /** The table's own names of its columns; null: it has no such column. */
      columns: z.object({ name: z.string(), owner: z.string().nullable(), value: z.string().nullable() }),
      hasOwner: z.boolean(),
      hasValue: z.boolean(),
      defaultTtlSeconds: z.number().int().nullable(),
      /** The canary of this table failed: the console writes nothing to it. null: it is written. */
      distrust: z.object({ since: instantSchema, found: z.string() }).nullable().default(null),
    }),
  ),
  /** The nodes' clocks are further apart than leases allow. null: no such thing was seen. */
  clocksApart: z
    .object({ since: instantSchema, found: z.string(), whatToDo: z.string() })
    .nullable()
    .default(null),
  now: instantSchema,
})

/** Any other state is a problem. */
export const healthSchema = z.object({ status: z.literal('ok') })

/** Prometheus’s text format, version 0.0.4. */
export const metricsSchema = z.string()

export type ClocksApart = NonNullable<Cluster['clocksApart']>
export type ClusterTable = Cluster['tables'][number]
export type Cluster = z.infer<typeof clusterSchema>

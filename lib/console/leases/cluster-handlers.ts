import type { Routes } from '../../contract/routes.ts'
import type { Handler } from '../http/handler.ts'
import { iso } from '../http/instant.ts'
import type { ClusterServices } from './lease-services.ts'

export const healthz: Handler<Routes['healthz'], ClusterServices> = async () => ({
  status: 200,
  body: { status: 'ok' },
})

export const readyz: Handler<Routes['readyz'], ClusterServices> = async (_input, { probe, versions }) => {
  await probe.check()
  versions.throwIfUnknown()
  return { status: 200, body: { status: 'ok' } }
}

export const getCluster: Handler<Routes['getCluster'], ClusterServices> = async (
  _input,
  { probe, session, config, tables, clock, doctor },
) => {
  const { serialReadMs } = await probe.check()
  return {
    status: 200,
    body: {
      name: session.facts.clusterName,
      embedded: config.embedded,
      keyspace: session.keyspace,
      ...session.nodes(),
      serialReadMs,
      tables: [...tables.values()].map(({ id, mapping, readOnly, defaultTtlSeconds, trust }) => ({
        id,
        keyspace: mapping.keyspace ?? session.keyspace,
        table: mapping.table,
        readOnly,
        columns: { name: mapping.name, owner: mapping.owner, value: mapping.value },
        hasOwner: mapping.owner !== null,
        hasValue: mapping.value !== null,
        defaultTtlSeconds,
        distrust: trust.distrust,
      })),
      clocksApart: doctor.clocksApart,
      now: iso(clock.now().wallMs),
    },
  }
}

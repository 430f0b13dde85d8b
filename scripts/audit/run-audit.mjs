import { once } from 'node:events'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { importCompiled } from '../console/compile.mjs'
import { consoleEnvironment, embeddedNodeMissing } from '../console/environment.mjs'
import { findConnection } from '../cql/connection.mjs'
import { ROOT } from '../process/registry.mjs'
import { readSettings } from '../start/settings.mjs'
import { Failure } from '../terminal/failure.mjs'
import { seconds } from '../terminal/steps.mjs'
import { loadCore, readAnchors, readKeys } from './core.mjs'
import { exportedEntries } from './export-entries.mjs'
import { openSource } from './source.mjs'

/**
 * @param {import('./arguments.mjs').AuditArguments} wanted
 * @returns {Promise<number>} the exit code
 */
export async function runAudit(wanted) {
  if (wanted.command === 'restart' || wanted.command === 'rekey')
    return repair({ act: wanted.command, reason: wanted.reason ?? '' })
  // Before anything is compiled or read: without a cluster there is nothing to do.
  const connection = findConnection()
  const core = await loadCore()
  const dataDir = resolve(readSettings(process.env, ROOT).dataDir)
  // The anchors before the log: what was anchored by now must be there.
  const anchors = wanted.command === 'verify' ? readAnchors(wanted.anchors, dataDir, core) : []
  const keys = wanted.command === 'verify' ? readKeys(wanted.keyFiles, dataDir, core) : new Map()
  try {
    const source = await openSource(core, connection)
    try {
      return wanted.command === 'export'
        ? await writeOut(source, wanted, core)
        : await verifyAll(source, wanted, { core, keys, anchors })
    } finally {
      await source.close()
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    const { message, innerErrors } = /** @type {Error & { innerErrors?: Record<string, Error> }} */ (error)
    const reason = Object.values(innerErrors ?? {})[0]?.message ?? message
    throw new Failure(`The audit log could not be read to its end: ${reason}`, { cause: error })
  }
}

/** @param {{ act: 'restart' | 'rekey', reason: string }} wanted */
async function repair(wanted) {
  findConnection()
  const environment = consoleEnvironment()
  const { runAuditRepair } = await importCompiled('start/terminal/audit-terminal')
  try {
    process.stderr.write(`${await runAuditRepair(environment, userInfo().username, wanted)}\n`)
    return 0
  } catch (error) {
    const message = embeddedNodeMissing(error, environment) ?? /** @type {Error} */ (error).message
    throw new Failure(message, { cause: error })
  }
}

/**
 * @param {Awaited<ReturnType<typeof openSource>>} source
 * @param {import('./arguments.mjs').AuditArguments} wanted
 * @param {{ core: Awaited<ReturnType<typeof loadCore>>, keys: Map<string, Buffer>, anchors: { keyspace: string }[] }} more
 */
async function verifyAll(source, { from, to }, { core, keys, anchors }) {
  const startedMs = performance.now()
  let toldMs = startedMs
  const verdict = await core.verify({
    source,
    keys,
    nowMs: Date.now(),
    // A data directory may have served more than one log.
    anchors: anchors.filter(({ keyspace }) => keyspace === source.keyspace),
    from,
    to,
    progress: (/** @type {number} */ entries) => {
      const nowMs = performance.now()
      if (nowMs - toldMs < 1_000) return
      toldMs = nowMs
      process.stderr.write(`… ${entries} entries (${seconds(nowMs - startedMs)})\n`)
    },
  })
  const { findings, entries, buckets, foreign } = verdict
  const named = [...keys.keys()].join(', ')
  if (entries > 0 && foreign === entries)
    throw new Failure(
      `This is the wrong key (${named}): no entry was written with it. Nothing is known about the log; give its key with --key-file.`,
    )
  for (const { chain, bucket, seq, difference, detail } of findings)
    process.stdout.write(
      `${chain} ${bucket} ${seq === null ? 'bucket' : `entry ${seq}`}: ${difference}: ${detail}\n`,
    )
  const took = seconds(performance.now() - startedMs)
  const looked = `${entries} entries in ${buckets} buckets, ${verdict.anchors} anchors, key ${named} (${took})`
  if (findings.length > 0) {
    process.stdout.write(
      `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'} in ${looked}\n`,
    )
    return 1
  }
  process.stdout.write(`The audit log is whole: ${looked}\n`)
  if (verdict.anchors === 0)
    process.stderr.write(
      'No anchors were compared: entries cut from the end, or the oldest days of refused requests, would not be missed. Give some with --anchors.\n',
    )
  return 0
}

/**
 * @param {Awaited<ReturnType<typeof openSource>>} source
 * @param {import('./arguments.mjs').AuditArguments} wanted
 * @param {Awaited<ReturnType<typeof loadCore>>} core
 */
async function writeOut(source, wanted, core) {
  for await (const entry of exportedEntries(source, wanted, core))
    if (!process.stdout.write(`${JSON.stringify(entry)}\n`)) await once(process.stdout, 'drain')
  return 0
}

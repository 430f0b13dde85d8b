/** What a console knows of row versions when the log is away, or was damaged, before it started. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FakeClock } from 'leasehold/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../../scripts/test/temporary-folder.mjs'
import type { AuditEvent } from '../../../../contract/audit.ts'
import { log } from '../../../http/log/log.ts'
import { RowVersions } from '../../../store/row-versions.ts'
import { AnchorFile } from '../../anchors/anchor-file.ts'
import { VersionsFile, versionsFileName } from '../../anchors/versions-file.ts'
import { StoredAuditLog } from '../../stored-audit-log.ts'
import { event, testKey } from '../test-audit.ts'
import { MemoryAuditStore } from '../test-memory-audit-store.ts'
import { restartChain } from './restart/restart-chain.ts'

const day = Date.UTC(2026, 10, 21, 12)
const key = testKey()
const newDataDir = () => temporaryFolder('leasehold-versions')
let clock: FakeClock
let store: MemoryAuditStore
let dataDir: string

beforeEach(() => {
  clock = new FakeClock(day)
  store = new MemoryAuditStore()
  dataDir = newDataDir()
})

/** A console's log, as a start makes it. */
async function start(directory = dataDir) {
  const versions = new RowVersions(() => clock.now().wallMs)
  const audit = new StoredAuditLog({
    store,
    keyspace: 'k',
    key,
    clock,
    timer: clock,
    log,
    versions,
    anchors: new AnchorFile(directory, clock),
    kept: new VersionsFile(directory, 'k', key),
  })
  const counts = (version: number) => versions.isCurrent('users', 'ann', version)
  await audit.begin()
  return { audit, versions, counts }
}
const ann = (version: number): AuditEvent =>
  event(`${version}`, { act: 'user-change', rows: [{ table: 'users', key: 'ann', version }] })
const notReady = expect.objectContaining({ code: 'not-ready' })

/** A console that writes that ann's row has this version, and ends. */
async function change(version: number, directory = dataDir) {
  const { audit } = await start(directory)
  await audit.append(ann(version))
  await audit.close()
}
const erase = () => store.buckets.delete('main:2026-11-21')

describe('a console that starts while the log cannot be read', () => {
  it('gives no right by a row until it was read', async () => {
    await change(5)
    store.down = true
    const { audit, counts } = await start()
    expect(() => counts(9)).toThrow(notReady)
    store.down = false
    await audit.follow()
    expect([4, 5].map(counts)).toEqual([false, true])
  })
})

describe('a console that starts after the log was damaged', () => {
  it('goes on with what this installation knew', async () => {
    await change(5)
    erase()
    const { audit, counts } = await start()
    expect([4, 5].map(counts)).toEqual([false, true])
    expect(audit.alarms).toHaveLength(1)
    await expect(audit.append(ann(6))).rejects.toMatchObject({ code: 'audit-damaged' })
  })

  it.each([
    ['nothing', ''],
    [
      'what something else wrote',
      '{"v":1,"keyspace":"k","at":{"bucket":"2026-11-21","seq":9,"hash":""},"rows":[]}\nabc\n',
    ],
  ])('gives no right by a row where it has kept %s, until the log was restarted', async (_, kept) => {
    await change(5)
    writeFileSync(join(dataDir, versionsFileName('k')), kept)
    erase()
    const { audit, counts } = await start()
    expect(() => counts(9)).toThrow(notReady)
    expect(() => counts(9)).toThrow(/npm run audit -- restart/)
    await beginAgain()
    await audit.follow()
    expect(counts(5)).toBe(true)
  })

  it('gives no right where entries were anchored after what it has kept: an older copy was put back', async () => {
    await change(5)
    const file = join(dataDir, versionsFileName('k'))
    const older = readFileSync(file)
    await change(6)
    writeFileSync(file, older)
    erase()
    const { counts } = await start()
    expect(() => counts(9)).toThrow(notReady)
  })
})

async function beginAgain() {
  const anchors = new AnchorFile(dataDir, clock)
  await restartChain({
    store,
    chain: 'main',
    keyspace: 'k',
    key,
    clock,
    anchored: anchors.all().at(-1) ?? null,
    gap: null,
    anchor: (anchor) => anchors.keep(anchor),
    actor: { username: 'root', role: 'admin', via: 'terminal', address: null, requestId: null },
    reason: 'it was erased',
  })
}

describe('what is kept', () => {
  it('is for its owner alone, and of its keyspace alone', async () => {
    await change(5)
    expect(statSync(join(dataDir, versionsFileName('k'))).mode & 0o777).toBe(0o600)
    expect(new VersionsFile(dataDir, 'k', key).read()?.rows).toMatchObject([{ key: 'ann', version: 5 }])
    expect(new VersionsFile(dataDir, 'k', testKey()).read()).toBeNull()
    const copied = newDataDir()
    writeFileSync(join(copied, versionsFileName('other')), readFileSync(join(dataDir, versionsFileName('k'))))
    expect(new VersionsFile(copied, 'other', key).read()).toBeNull()
  })

  it('stays whole when two instances of one directory write at once, even under one process id', async () => {
    const at = { bucket: '2026-11-21', seq: 1, hash: 'h' }
    const write = (version: number) =>
      new VersionsFile(dataDir, 'k', key).write({ at, rows: [{ table: 'users', key: 'ann', version }] })
    await Promise.all([1, 2, 3, 4].map(write))
    expect(new VersionsFile(dataDir, 'k', key).read()?.rows).toMatchObject([{ key: 'ann' }])
    expect(readdirSync(dataDir)).toEqual([versionsFileName('k')])
  })

  it('lets a start read only what came since', async () => {
    for (let version = 1; version <= 5; version++) await change(version)
    const { audit } = await start(newDataDir())
    await audit.append(ann(6))
    const read = vi.spyOn(store, 'rowsFrom')
    const { counts } = await start()
    expect(read.mock.calls.map(([partition, seq]) => [partition, seq])).toEqual([['main:2026-11-21', 6]])
    expect([5, 6].map(counts)).toEqual([false, true])
  })

  it('raises no alarm where the last that was read is a seal, and the next bucket is not begun', async () => {
    await change(5)
    await clock.advance(86_400_000)
    let appends = 0
    store.fault = () => {
      appends += 1
      return appends > 1 ? 'unavailable' : undefined
    }
    const { audit } = await start()
    await expect(audit.append(ann(6))).rejects.toMatchObject({ code: 'store-unavailable' })
    await audit.close()
    expect(new VersionsFile(dataDir, 'k', key).read()?.at.seq).toBe(0)
    store.fault = () => undefined
    const again = await start()
    expect(again.audit.alarms).toEqual([])
    await again.audit.append(ann(6))
    expect([5, 6].map(again.counts)).toEqual([false, true])
  })

  it('does no harm when an older copy is put back: the chain says what came since', async () => {
    await change(5)
    const file = join(dataDir, versionsFileName('k'))
    const older = readFileSync(file)
    await change(6)
    writeFileSync(file, older)
    const { counts } = await start()
    expect([5, 6].map(counts)).toEqual([false, true])
    // An older one than is there is not written either.
    const now = new VersionsFile(dataDir, 'k', key)
    await now.write({ at: { bucket: '2026-11-21', seq: 1, hash: 'ab'.repeat(32) }, rows: [] })
    expect(now.read()?.at.seq).toBe(2)
  })
})

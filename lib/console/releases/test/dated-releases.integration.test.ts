/** A client with the writer's password writes the rows of releases once more, with a timestamp in the future. */
import { expect, it } from 'vitest'
import { actBy, planBy, Releasing } from './test-releasing.ts'

const world = new Releasing()

const run = (cql: string, values: unknown[]) =>
  world.console.context.session.client.execute(cql, values, { prepare: true })
/** Writes a row once more as it is, dated an hour ahead: the columns that have no value too. */
async function date(id: string): Promise<void> {
  const [row] = (await run(`SELECT * FROM "${world.keyspace}".releases WHERE id = ?`, [id])).rows
  const names = row?.keys() ?? []
  const micros = BigInt(Date.now() + 3_600_000) * 1000n
  await run(
    `INSERT INTO "${world.keyspace}".releases (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) USING TIMESTAMP ?`,
    [...names.map((name) => row?.get(name)), micros],
  )
}

it('an approval and a rejection without effect release nothing, and the release waits no more', async () => {
  const [ann, bob] = [await world.person('ann', 'operator'), await world.person('bob', 'operator')]
  for (const [name, act, body] of [
    ['two/approved', 'approval', undefined],
    ['two/rejected', 'rejection', { reason: 'no' }],
  ] as const) {
    await world.acquire(name, 'holder')
    const { plan } = await planBy(ann, name)
    expect((await actBy(ann, name, plan, 'break')).body.outcome).toBe('awaiting-approval')
    await date(plan)
    const decide = () => bob('POST', `/v1/releases/${plan}/${act}`, body)
    const answer = await decide()
    expect([answer.status, answer.body.code]).toEqual([409, 'no-effect'])
    expect((await decide()).status).toBe(404)
    expect(await world.ownerOf(name)).toBe('holder')
    await expect.poll(() => world.entriesOf(name)).toContainEqual(['bob', act, 'outcome', 'no-effect'])
    expect((await world.entriesOf(name)).filter(([, done]) => done === 'release')).toEqual([])
  }
})

it('a plan of one person that could not be used up releases nothing', async () => {
  const cat = await world.person('cat', 'operator')
  await world.acquire('one', 'holder')
  const { plan } = await planBy(cat, 'one')
  await date(plan)
  for (let tried = 0; tried < 2; tried++) {
    const answer = await actBy(cat, 'one', plan, 'break')
    expect([answer.status, answer.body.code]).toEqual([409, 'no-effect'])
  }
  expect(await world.ownerOf('one')).toBe('holder')
})

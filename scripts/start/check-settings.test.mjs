import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createSteps } from '../terminal/steps.mjs'
import { checkSettings } from './check-settings.mjs'

const reader = async () => ({
  readConfig: (/** @type {unknown} */ given) => {
    throw new Error(JSON.stringify(given))
  },
})
const out = new PassThrough()
const steps = createSteps({ out: /** @type {never} */ (out), live: false })
const given = { PORT: '3000', CASSANDRA_READ_PASSWORD_FILE: '/x', CASSANDRA_TLS_CA: '/ca' }

it('says what the console’s own reader says', async () => {
  await expect(checkSettings(given, { embedded: false, steps, reader })).rejects.toMatchObject({
    name: 'Failure',
    message: JSON.stringify(given),
  })
})

it('is a step of its own, which a wrong setting fails', async () => {
  await checkSettings(given, { embedded: false, steps, reader }).catch(() => {})
  expect(String(out.read())).toMatch(/^✗ check the settings \(/m)
})

it('leaves out the roles of a cluster for the embedded node, which has its own', async () => {
  const seen = await checkSettings(given, { embedded: true, steps, reader }).catch(({ message }) =>
    JSON.parse(message),
  )
  expect(seen).toEqual({
    PORT: '3000',
    CASSANDRA_TLS_CA: '/ca',
    CASSANDRA_CONTACT_POINTS: '127.0.0.1',
    CASSANDRA_REPLICATION: '1',
    LEASEHOLD_EMBEDDED: '1',
  })
})

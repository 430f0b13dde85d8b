import { expect, it } from 'vitest'
import { testContactPoint, testCredentials } from '../../test/node-session.ts'
import { connect } from './connect.ts'

it.each([
  ['reached but not used', testContactPoint, /localDataCenter was configured as 'dc9'/],
  ['not reached', () => '127.0.0.1:1', /ECONNREFUSED/],
])('says why a contact point was %s', async (_how, contactPoint, sentence) => {
  const options = {
    contactPoints: [contactPoint()],
    localDataCenter: 'dc9',
    keyspace: 'x',
    ...testCredentials(),
  }
  await expect(connect(options)).rejects.toMatchObject({
    code: 'store-unavailable',
    message: expect.stringMatching(sentence),
  })
})

import { fromDriver } from 'leasehold/cassandra'
import { expect, it } from 'vitest'
import { startFailure } from './start-failure.ts'

const environment = { CASSANDRA_CONTACT_POINTS: 'db:9042' }
const signIn = (message: string) =>
  fromDriver(Object.assign(new Error(message), { name: 'AuthenticationError' }), 'read')

it('names the settings of the console where Cassandra wants a user name and was given none', () => {
  expect(
    startFailure(signIn('Requires authentication, but no authenticator found in Options.'), environment),
  ).toBe(
    'Cassandra at db:9042 wants a user name and a password: set CASSANDRA_USERNAME and CASSANDRA_PASSWORD. docs/operations.md says what their role needs.',
  )
})

it('says what Cassandra refuses, and which settings to check', () => {
  expect(startFailure(signIn('Provided username x and/or password are incorrect'), environment)).toMatch(
    /^Cassandra refused the sign-in: .* are incorrect\. Check CASSANDRA_USERNAME, /,
  )
})

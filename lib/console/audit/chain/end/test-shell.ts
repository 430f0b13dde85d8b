/** For tests alone: a shell on the server of a console. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { type TestConsole, testEnvironment } from '../../../test/test-console.ts'

/** `npm run audit`, or `npm run user`, as a person with a shell on the server starts it. */
export async function shellOf(
  { context }: TestConsole,
  line: string[],
  env: Record<string, string> = {},
  script: 'audit' | 'user' = 'audit',
) {
  const { dataDir, auditKey: key = '', cassandra: signIn } = context.config
  const { PATH, HOME } = process.env
  const { schema } = signIn
  const child = spawn(process.execPath, [`scripts/${script}.mjs`, ...line], {
    env: {
      PATH,
      HOME,
      NODE_ENV: 'production',
      ...testEnvironment(context.session.keyspace),
      LEASEHOLD_DATA_DIR: dataDir,
      LEASEHOLD_AUDIT_KEY: key,
      CASSANDRA_USERNAME: signIn.username,
      CASSANDRA_PASSWORD: signIn.password,
      CASSANDRA_SCHEMA_USERNAME: schema?.username,
      CASSANDRA_SCHEMA_PASSWORD: schema?.password,
      ...env,
    } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

/**
 * Secrets on their way to the server. A process's environment can be read in /proc for as long as it runs, and every
 * process that it starts inherits a copy; so the server gets the names of files instead, which are gone once it is up.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processIdentity } from '../process/identity.mjs'
import { REGISTRY } from '../process/registry.mjs'

/** Each of them may also be given as a file, `…_FILE` (lib/console/start/config/config.ts; a test compares the two). */
export const SECRET_VARIABLES = [
  'CASSANDRA_PASSWORD',
  'CASSANDRA_READ_PASSWORD',
  'CASSANDRA_SCHEMA_PASSWORD',
  'LEASEHOLD_ADMIN_PASSWORD',
  'LEASEHOLD_AUDIT_KEY',
  'LEASEHOLD_METRICS_TOKEN',
  'LEASEHOLD_OIDC_CLIENT_SECRET',
]

/**
 * Takes the secrets out of an environment, this process's own by default: what it starts from now on inherits none.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Record<string, string>}
 */
export function takeSecrets(env = process.env) {
  /** @type {Record<string, string>} */
  const taken = {}
  for (const name of SECRET_VARIABLES) {
    const value = env[name]
    delete env[name]
    if (value) taken[name] = value
  }
  return taken
}

/**
 * The same environment with the secrets in files, for their owner alone. Where a variable and its `…_FILE` are both
 * set, both stay: the server refuses that, and says which.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [dir]
 * @returns {{ env: NodeJS.ProcessEnv, remove(): void }}
 */
export function secretsInFiles(env, dir = REGISTRY) {
  removeLeftOver(dir)
  const names = SECRET_VARIABLES.filter((name) => env[name] && !env[`${name}_FILE`])
  const home = join(dir, `${ownedBy(process.pid)}${randomUUID()}`)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const passed = { ...env }
  for (const name of names) {
    const file = join(home, name)
    writeFileSync(file, String(env[name]), { mode: 0o600 })
    delete passed[name]
    passed[`${name}_FILE`] = file
  }
  const remove = () => {
    process.removeListener('exit', remove)
    rmSync(home, { recursive: true, force: true })
  }
  process.once('exit', remove)
  return { env: passed, remove }
}

/**
 * How the folder's name begins: a pid alone may meanwhile belong to a stranger. In the name, since another start may look at
 * the folder before a file is in it.
 *
 * @param {number} pid
 */
const ownedBy = (pid) => `secrets-${pid}-${encodeURIComponent(processIdentity(pid) ?? 'gone')}-`

/** What a killed owner could not remove. @param {string} dir */
function removeLeftOver(dir) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(dir)) {
    const owner = /^secrets-(\d+)-/.exec(name)?.[1]
    if (owner && !name.startsWith(ownedBy(Number(owner))))
      rmSync(join(dir, name), { recursive: true, force: true })
  }
}

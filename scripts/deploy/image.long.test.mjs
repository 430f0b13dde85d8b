/**
 * Builds deploy/Containerfile and runs what comes out, by Docker or Podman. Skipped, with the reason in its name, where neither
 * works or the base image cannot be had. For a machine with mirrors: `LEASEHOLD_NODE_IMAGE` is the base image, and
 * `LEASEHOLD_BUILD_ARGUMENTS` are further arguments of `build`, with spaces between them.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../process/ending.mjs'
import { randomFreePorts } from '../process/ports.mjs'
import { ROOT } from '../process/registry.mjs'

const containerfile = join(ROOT, 'deploy', 'Containerfile')
const image = 'localhost/leasehold-test'
const container = `leasehold-test-${process.pid}`
const buildWithinMs = 1_200_000

/** @param {string} builder @param {string[]} args */
function call(builder, args, timeout = 120_000) {
  const { status, stdout, stderr } = spawnSync(builder, args, {
    encoding: 'utf8',
    timeout,
    maxBuffer: 2 ** 26,
  })
  return { status, output: `${stdout ?? ''}${stderr ?? ''}`.trim(), stdout: (stdout ?? '').trim() }
}

const baseImage =
  process.env.LEASEHOLD_NODE_IMAGE ??
  /ARG NODE_IMAGE=(\S+)/.exec(readFileSync(containerfile, 'utf8'))?.[1] ??
  ''

/** @returns {{ builder: string, missing: string | null }} */
function findBuilder() {
  const builder = ['docker', 'podman'].find((name) => call(name, ['info']).status === 0)
  if (builder === undefined) return { builder: '', missing: 'neither Docker nor Podman works here' }
  const isThere = call(builder, ['image', 'inspect', baseImage]).status === 0
  if (isThere || call(builder, ['pull', baseImage], 300_000).status === 0) return { builder, missing: null }
  return { builder, missing: `${baseImage} cannot be fetched here` }
}

const { builder, missing } = findBuilder()
const skipped = missing === null ? '' : ` (skipped: ${missing})`

/** A health check is part of Docker's format only, and Podman's default is another one. */
const format = builder === 'podman' ? ['--format', 'docker'] : []
const further = (process.env.LEASEHOLD_BUILD_ARGUMENTS ?? '').split(' ').filter(Boolean)

beforeAll(() => {
  if (missing !== null) return
  const arguments_ = ['--build-arg', `NODE_IMAGE=${baseImage}`, ...format, ...further]
  const built = call(builder, ['build', '-f', containerfile, '-t', image, ...arguments_, ROOT], buildWithinMs)
  expect(built.status, built.output.slice(-4_000)).toBe(0)
}, buildWithinMs)

afterAll(() => {
  if (missing !== null) return
  call(builder, ['rm', '--force', container])
  call(builder, ['rmi', '--force', image])
})

/** The node of the run. @returns {Record<string, string>} */
const cassandra = () => ({
  CASSANDRA_CONTACT_POINTS: process.env.LEASEHOLD_TEST_CONTACT_POINT ?? '',
  CASSANDRA_KEYSPACE: 'leasehold_image',
  CASSANDRA_REPLICATION: '1',
  CASSANDRA_USERNAME: process.env.LEASEHOLD_TEST_USERNAME ?? '',
  CASSANDRA_PASSWORD: process.env.LEASEHOLD_TEST_PASSWORD ?? '',
})

/** As docs/operations.md says. @param {Record<string, string>} environment */
const howToRun = (environment) => [
  ...['--name', container, '--network', 'host', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
  ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  image,
]

it.skipIf(missing !== null)(
  `without Cassandra the container ends with 1, and says why${skipped}`,
  () => {
    const nowhere = { CASSANDRA_CONTACT_POINTS: '127.0.0.1:1', HOST: '127.0.0.1' }
    const { status, output } = call(builder, ['run', '--rm', ...howToRun(nowhere)])
    expect(output).toContain('Leasehold cannot start: Cassandra does not answer at 127.0.0.1:1')
    expect(status).toBe(1)
  },
  300_000,
)

it.skipIf(missing !== null)(
  `the image runs without rights on a file system that it cannot write, is healthy, and ends when asked${skipped}`,
  async () => {
    const [port] = await randomFreePorts(1)
    const url = `http://127.0.0.1:${port}`
    const environment = { ...cassandra(), PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: url }
    const started = call(builder, ['run', '--detach', ...howToRun(environment)])
    expect(started.status, started.output).toBe(0)
    const isReady = async () => {
      const answer = await fetch(`${url}/readyz`).catch(() => null)
      return answer?.status === 200
    }
    const logs = () => call(builder, ['logs', container]).output.slice(-4_000)
    expect(await until(isReady, 120_000), logs()).toBe(true)

    const inside = (/** @type {string[]} */ ...args) => call(builder, ['exec', container, ...args])
    expect(inside('id', '-u').stdout).not.toBe('0')
    expect(inside('touch', '/app/package.json').status).not.toBe(0)
    expect(inside('touch', '/data/written').status).toBe(0)
    expect(inside('ls', 'node_modules/vitest').status, 'packages of the tests').not.toBe(0)
    // What an operator runs beside the console.
    for (const command of [
      ['user.mjs', 'link'],
      ['audit.mjs', 'verify'],
      ['cql.mjs', 'SELECT name FROM leases'],
    ]) {
      const [script, ...args] = command
      const ran = inside('node', `scripts/${script}`, ...args)
      expect(ran.status, ran.output).toBe(0)
    }

    // As the image says how: the command of its health check, in the container.
    const [facts] = JSON.parse(call(builder, ['image', 'inspect', image]).stdout)
    const [kind, ...command] = (facts.Config.Healthcheck ?? facts.Healthcheck).Test
    expect(kind).toBe('CMD')
    expect(inside(...command).status).toBe(0)

    expect(call(builder, ['stop', '--time', '20', container]).status).toBe(0)
    expect(call(builder, ['inspect', '--format', '{{.State.ExitCode}}', container]).stdout).toBe('143')
  },
  300_000,
)

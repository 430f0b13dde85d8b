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

it.skipIf(missing !== null)(
  `the image runs without rights on a file system that it cannot write, is healthy, and ends when asked${skipped}`,
  async () => {
    const [port] = await randomFreePorts(1)
    const started = call(builder, [
      ...['run', '--detach', '--name', container, '--network', 'host', '--read-only', '--tmpfs', '/tmp'],
      ...['--cap-drop', 'ALL', '--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1'],
      // No Cassandra answers there: the console is alive all the same, and says that it is not ready.
      ...[
        '--env',
        'CASSANDRA_CONTACT_POINTS=127.0.0.1:1',
        '--env',
        `PUBLIC_URL=http://127.0.0.1:${port}`,
        image,
      ],
    ])
    expect(started.status, started.output).toBe(0)
    const answers = async (/** @type {string} */ path) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => null,
      )
    const logs = () => call(builder, ['logs', container]).output.slice(-4_000)
    expect(await until(async () => (await answers('/healthz')) === 200, 60_000), logs()).toBe(true)
    expect(await answers('/readyz')).toBe(503)

    const inside = (/** @type {string[]} */ ...args) => call(builder, ['exec', container, ...args])
    expect(inside('id', '-u').stdout).not.toBe('0')
    expect(inside('touch', '/app/package.json').status).not.toBe(0)
    expect(inside('touch', '/data/written').status).toBe(0)
    expect(inside('ls', 'node_modules/vitest').status, 'packages of the tests').not.toBe(0)

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

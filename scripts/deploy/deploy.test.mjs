/** The files in deploy/ by the tools that read them. That the image builds and runs: image.long.test.mjs. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { expect, it } from 'vitest'
import { ROOT } from '../process/registry.mjs'
import { isOnPath } from '../setup/programs.mjs'
import { temporaryFolder } from '../test/temporary-folder.mjs'

/** @param {string} name */
const text = (name) => readFileSync(join(ROOT, 'deploy', name), 'utf8')

/** @param {string} content */
const problemsOfContainerfile = (content) => validate(content).map(({ message }) => message)

// Biome writes double quotes.
const rules = { 'require-quotes-in-ports': [1, { quoteType: 'double' }] }

/** By the schema of compose and dclint's rules. @param {string} content */
function problemsOfCompose(content) {
  const file = join(temporaryFolder('leasehold-compose'), 'compose.yaml')
  writeFileSync(file, content)
  const [result] = new DCLinter({ rules, quiet: false, debug: false, exclude: [] }).lintFiles([file], false)
  return (result?.messages ?? []).map(({ line, message }) => `${line}: ${message}`)
}

it('Containerfile: no problems; it runs as a user without rights, and says whether it is healthy', () => {
  const content = text('Containerfile')
  expect(problemsOfContainerfile(content)).toEqual([])
  const last = (/** @type {string} */ instruction) =>
    content
      .replaceAll('\\\n', ' ')
      .match(new RegExp(`^${instruction} .*$`, 'gm'))
      ?.at(-1)
  expect(last('USER')).toBe('USER node')
  expect(last('HEALTHCHECK')).toContain('/healthz')
  expect(last('CMD')).toBe('CMD ["node", ".next/leasehold/console/start/server.js"]')
})

it('Containerfile: the check finds a mistake', () => {
  const content = text('Containerfile')
  expect(problemsOfContainerfile(content.replace('WORKDIR', 'WORKDIRR'))).not.toEqual([])
  expect(problemsOfContainerfile(content.replace('EXPOSE 3000', 'EXPOSE a b'))).not.toEqual([])
})

it('compose.yaml: no problems; three nodes of Cassandra', () => {
  expect(problemsOfCompose(text('compose.yaml'))).toEqual([])
  expect(text('compose.yaml').match(/^ {2}cassandra-\d:$/gm)).toHaveLength(6)
})

it('compose.yaml: the check finds a mistake', () => {
  const content = text('compose.yaml')
  expect(problemsOfCompose(content.replace('read_only: true', 'read_only: [true]'))).not.toEqual([])
  expect(problemsOfCompose(content.replace('depends_on:', 'depend_on:'))).not.toEqual([])
})

it.skipIf(!isOnPath('systemd-analyze')).each([
  ['leasehold.service', 'KillMode=mixed', 'KillMode=gently'],
  ['leasehold-audit.service', 'Type=oneshot', 'Type=twice'],
  ['leasehold-audit.timer', 'OnCalendar=*-*-* 04:30', 'OnCalendar=daily at noon'],
])('%s: systemd accepts it (skipped without systemd)', (name, right, wrong) => {
  const verify = (/** @type {string} */ content) => {
    const folder = temporaryFolder('leasehold-unit')
    // A timer names its service. systemd looks for the program too: this machine may have Node elsewhere.
    for (const each of ['leasehold-audit.service', name])
      writeFileSync(
        join(folder, each),
        (each === name ? content : text(each)).replace('/usr/bin/node', process.execPath),
      )
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', join(folder, name)], {
      encoding: 'utf8',
    })
    return { status, problems: stderr.split('\n').filter((line) => line.includes(name)) }
  }
  const content = text(name)
  expect(verify(content)).toEqual({ status: 0, problems: [] })
  expect(content).toContain(right)
  expect(verify(content.replace(right, wrong)).problems).not.toEqual([])
})

it('leasehold-audit.service is as confined as the service of the console', () => {
  const limits = (/** @type {string} */ name) =>
    text(name).match(/^(?:Protect|Private|Restrict|NoNew|Capab|Ambient|Lock|System|Memory|User|UMask).*$/gm)
  expect(limits('leasehold-audit.service')?.sort()).toEqual(limits('leasehold.service')?.sort())
})

it('leasehold.service: five starts that fail, however slowly, are within its limit, so that it counts as failed', () => {
  const seconds = (/** @type {string} */ name) =>
    Number(text('leasehold.service').match(new RegExp(`^${name}=(\\d+)$`, 'm'))?.[1])
  // The first: scripts/console/server.mjs.
  const slowest = 180 + seconds('TimeoutStopSec') + seconds('RestartSec')
  expect(seconds('StartLimitIntervalSec')).toBeGreaterThan(seconds('StartLimitBurst') * slowest)
})

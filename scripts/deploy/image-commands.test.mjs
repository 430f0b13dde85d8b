/**
 * The commands in the image: what its last stage copies, without the packages that `npm prune --omit=dev` removes. Without a
 * builder; image.long.test.mjs builds the image, where one works.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { compileCommands } from '../console/compile.mjs'
import { ROOT } from '../process/registry.mjs'
import { temporaryFolder } from '../test/temporary-folder.mjs'

const image = temporaryFolder('leasehold-image')
/** The commands do not read these, and they are large or come from a build. */
const leftOut = ['node_modules', '.next', 'public']

/** What the image has, below its working directory. */
function copied() {
  const containerfile = readFileSync(join(ROOT, 'deploy', 'Containerfile'), 'utf8')
  return [...containerfile.matchAll(/^COPY --from=build (.*) (\S+)$/gm)].flatMap(([, sources = '']) =>
    sources.split(' ').map((source) => source.replace(/^\/app\//, '')),
  )
}

/** @param {string} folder below node_modules @returns {string[]} packages, with their scopes */
const packagesIn = (folder = '') =>
  readdirSync(join(ROOT, 'node_modules', folder)).flatMap((name) =>
    name.startsWith('@') ? packagesIn(name) : [join(folder, name)],
  )

beforeAll(async () => {
  await compileCommands({ report: () => {} })
  for (const path of copied().filter((each) => !leftOut.includes(each))) {
    mkdirSync(dirname(join(image, path)), { recursive: true })
    cpSync(join(ROOT, path), join(image, path), { recursive: true, verbatimSymlinks: true })
  }
  /** @type {{ packages: Record<string, { dev?: boolean }> }} */
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  for (const name of packagesIn().filter((each) => !each.startsWith('.') && each !== 'leasehold')) {
    if (lock.packages[`node_modules/${name}`]?.dev) continue
    const link = join(image, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
  const list = join('node_modules', '.package-lock.json')
  symlinkSync(join(ROOT, list), join(image, list))
  symlinkSync(join('..', 'lib', 'leasehold'), join(image, 'node_modules', 'leasehold'))
}, 300_000)

/** @param {string[]} args */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: image,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      // No Cassandra answers there: a command that says so is installed.
      CASSANDRA_CONTACT_POINTS: '127.0.0.1:1',
      LEASEHOLD_DATA_DIR: temporaryFolder('leasehold-data'),
      LEASEHOLD_AUDIT_KEY: Buffer.alloc(32).toString('hex'),
    },
  })
  return { status, output: stdout + stderr }
}

it('has no compiler, and what the commands need instead', () => {
  expect(readdirSync(join(image, 'node_modules'))).not.toContain('typescript')
  expect(copied()).toEqual(expect.arrayContaining(['scripts', 'lib/console/dist', 'lib/leasehold']))
})

it.each([
  [['scripts/user.mjs', 'list'], 1],
  [['scripts/user.mjs', 'link'], 1],
  [['scripts/audit.mjs', 'verify'], 2],
  [['scripts/audit.mjs', 'export'], 2],
  [['scripts/audit.mjs', 'restart', '--reason', 'x'], 2],
  [['scripts/audit.mjs', 'rekey', '--reason', 'x'], 2],
  [['scripts/cql.mjs', 'SELECT key FROM system.local'], 1],
  [['lib/leasehold/dist/cli/leasehold.js', 'get', 'x'], 123],
])('node %j runs there', (args, status) => {
  const ran = run(...args)
  expect(ran.output).toMatch(/127\.0\.0\.1:1|ECONNREFUSED/)
  expect(ran.output).not.toContain('packages are not installed')
  expect(ran.status).toBe(status)
})

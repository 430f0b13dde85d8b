/**
 * `npm run test:nodes`: the tests on each version of Node that is supported. The versions come from npm's package
 * `node`; nothing is installed on the machine.
 */
import { runCommand } from './terminal/command.mjs'

/** The oldest one that package.json admits, and the lines with long-term support after it: the latest of each. */
const VERSIONS = ['20.19', '22', '24']
/** Stages, and words of the integration tests' paths: what signs in, reads and writes, by the library and the console. */
const RUNS = [
  ['--only', 'lint,types,unit'],
  ['--only', 'integration', '--', 'session'],
]

const HELP = `npm run test:nodes: runs the tests on Node ${VERSIONS.join(', ')}

Usage
  npm run test:nodes                          lint, types, unit; integration tests of sessions
  npm run test:nodes -- --only unit -- WORDS  any arguments of npm test (npm test -- --help)
  npm run test:nodes -- --help                this text

It runs npm test on one version after the other, by "npm exec --package=node@VERSION",
and stops at the first failure.
`

await runCommand(async (args) => {
  const { onInterruption } = await import('./process/interruption.mjs')
  const { ROOT } = await import('./process/registry.mjs')
  const { run } = await import('./process/run.mjs')
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP)
    return 0
  }
  const ending = new AbortController()
  onInterruption(() => ending.abort())
  for (const version of VERSIONS) {
    for (const wanted of args.length > 0 ? [args] : RUNS) {
      process.stdout.write(`\nNode ${version}: npm test -- ${wanted.join(' ')}\n`)
      const command = [
        'exec',
        '--yes',
        `--package=node@${version}`,
        '--',
        'node',
        'scripts/test.mjs',
        ...wanted,
      ]
      const ran = await run('npm', command, { cwd: ROOT, stdio: 'inherit', signal: ending.signal }).catch(
        (error) => {
          if (ending.signal.aborted) return { code: 130 }
          throw error
        },
      )
      if (ran.code !== 0) return ran.code ?? 1
    }
  }
  return 0
})

/** For the package's test alone: the package as it would be published, and a project that has installed it. */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../../..')
const here = resolve(import.meta.dirname, '../..')

export const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as {
  exports: Record<string, string>
  bin: { leasehold: string }
}

interface Ran {
  code: number
  output: string
}

/** Runs a program to its end, without what `npm test` has set in its environment. */
export function run(command: string, args: string[], cwd: string): Promise<Ran> {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' }
  // These would tell npm that it is in this repository.
  const ours =
    /^(npm_(package|lifecycle|command|execpath)|npm_config_(local_prefix|workspace)|INIT_CWD|NODE_OPTIONS|VITEST)/
  for (const name of Object.keys(env)) if (ours.test(name)) delete env[name]
  return new Promise((done) => {
    execFile(command, args, { cwd, env, maxBuffer: 1 << 26 }, (failed, stdout, stderr) =>
      done({
        code: failed ? (typeof failed.code === 'number' ? failed.code : 1) : 0,
        output: `${stdout}${stderr}`,
      }),
    )
  })
}

/** @throws with everything it said, unless it ends well */
export async function succeed(command: string, args: string[], cwd: string): Promise<string> {
  const { code, output } = await run(command, args, cwd)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}

export const tool = (script: string): string => join(root, 'node_modules', script)

export interface Packed {
  readonly tarball: string
  readonly files: readonly string[]
}

/** @param directory outside of the repository, in which nothing is touched */
export async function pack(directory: string): Promise<Packed> {
  mkdirSync(directory)
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'])
    if (existsSync(join(here, file))) copyFileSync(join(here, file), join(directory, file))
  await succeed(
    process.execPath,
    [tool('typescript/bin/tsc'), '-p', here, '--outDir', join(directory, 'dist')],
    root,
  )
  await succeed(process.execPath, [join(here, 'pack-docs.mjs'), directory], root)
  const said = await succeed('npm', ['pack', '--json', '--ignore-scripts', '--loglevel=error'], directory)
  const [packed] = JSON.parse(said.slice(said.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ]
  return {
    tarball: join(directory, packed.filename),
    files: packed.files.map(({ path }) => path),
  }
}

/** Makes a project that has the package, its peer, and the types of Node. */
export async function install(tarball: string, project: string): Promise<void> {
  mkdirSync(project)
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  )
  const versions = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const beside = [
    `cassandra-driver@${versions.dependencies['cassandra-driver']}`,
    `@types/node@${versions.devDependencies['@types/node']}`,
  ]
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  await succeed('npm', ['install', ...options, tarball, ...beside], project)
}

/** Compiles the consumer's program, declarations of the package included. @returns where the result is */
export async function compile(project: string, module: 'nodenext' | 'bundler'): Promise<string> {
  const source = join(project, 'consumer.ts')
  copyFileSync(join(import.meta.dirname, 'package-consumer.ts'), source)
  const outDir = join(project, module)
  mkdirSync(outDir, { recursive: true })
  const config = {
    compilerOptions: {
      strict: true,
      target: 'ES2022',
      lib: ['ES2022', 'ESNext.Disposable'],
      types: ['node'],
      module: module === 'nodenext' ? 'nodenext' : 'esnext',
      moduleResolution: module,
      // The declarations that we ship are the point.
      skipLibCheck: false,
      outDir,
    },
    files: [source],
  }
  const file = join(project, `tsconfig.${module}.json`)
  writeFileSync(file, JSON.stringify(config))
  await succeed(process.execPath, [tool('typescript/bin/tsc'), '-p', file, '--pretty', 'false'], project)
  return join(outDir, 'consumer.js')
}

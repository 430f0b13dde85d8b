import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../process/run.mjs'

/** Where the compiled server of a build is. @param {string} root @param {string} distDir relative to root */
const placeOf = (root, distDir) => join(root, distDir, 'leasehold')

/** What Node runs. @param {string} root @param {string} distDir */
export const serverModule = (root, distDir) => join(placeOf(root, distDir), 'console', 'start', 'server.js')

/**
 * Compiles the server into a finished build of Next, with a copy of the library, by whose name the server imports it: a
 * build stays as it is when other builds are compiled later.
 *
 * @param {string} root
 * @param {string} distDir
 * @param {Omit<Parameters<typeof run>[2], 'cwd'>} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export async function compileServer(root, distDir, options) {
  const place = placeOf(root, distDir)
  const library = join(place, 'node_modules', 'leasehold')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(library, { recursive: true })
  // Next says of its own directory that it is CommonJS.
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }\n')
  copyFileSync(join(root, 'lib', 'leasehold', 'package.json'), join(library, 'package.json'))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  for (const args of [
    [
      '-p',
      join(root, 'lib', 'leasehold'),
      '--noCheck',
      '--declaration',
      'false',
      '--outDir',
      join(library, 'dist'),
    ],
    ['-p', join(root, 'lib', 'console', 'tsconfig.server.json'), '--outDir', place],
  ]) {
    const ran = await run(process.execPath, [tsc, ...args], { ...options, cwd: root })
    if (ran.code !== 0) return ran
  }
  return { code: 0, output: '' }
}

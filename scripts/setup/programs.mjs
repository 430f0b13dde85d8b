import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackages, mayInstall } from './apt.mjs'

/**
 * What the programs that docs/clients shows are run with, and the packages of Debian that have it, the best first. A JDK,
 * because `java Worker.java` compiles.
 */
const DOCUMENTED = {
  bash: ['bash'],
  curl: ['curl'],
  python3: ['python3-minimal', 'python3'],
  javac: ['openjdk-17-jdk-headless', 'default-jdk-headless'],
}

/** @param {string} name @param {NodeJS.ProcessEnv} [env] */
export function isOnPath(name, env = process.env) {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}

/**
 * Installs what is missing where that can be done without asking; elsewhere the tests that need it fail, and name it.
 *
 * @param {{ report: (text: string) => void, logFile: string, signal?: AbortSignal }} options
 */
export async function ensureDocumented(options) {
  const missing = Object.entries(DOCUMENTED).filter(([name]) => !isOnPath(name))
  if (missing.length > 0 && mayInstall())
    await installPackages(
      missing.map(([, packages]) => packages),
      options,
    )
  const still = missing.map(([name]) => name).filter((name) => !isOnPath(name))
  options.report(still.length === 0 ? Object.keys(DOCUMENTED).join(', ') : `missing: ${still.join(', ')}`)
}

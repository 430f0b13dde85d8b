import { existsSync } from 'node:fs'
import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'

/** Whether we may install packages here without asking anyone: Debian or a kin of it, as root. */
export function mayInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

/**
 * The first of these packages that this release of Debian has (Debian 12 has no Java 11, Debian 13 no Java 17).
 *
 * @param {string[]} names
 * @returns {Promise<string | null>}
 */
async function firstAvailable(names) {
  for (const name of names) {
    const ran = await run('apt-cache', ['policy', name])
    const candidate = /Candidate: (\S+)/.exec(ran.output)?.[1]
    if (ran.code === 0 && candidate !== undefined && candidate !== '(none)') return name
  }
  return null
}

/**
 * Installs one package of each list; of a list that has none for this system, nothing.
 *
 * @param {string[][]} wanted for each need, the packages that would do, the best first
 * @param {{ report: (text: string) => void, logFile?: string, signal?: AbortSignal }} options
 */
export async function installPackages(wanted, { report, logFile, signal }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  report('apt-get update')
  await run('apt-get', ['update'], { env, logFile, signal })
  const names = []
  for (const options of wanted) {
    const name = await firstAvailable(options)
    if (name !== null) names.push(name)
  }
  if (names.length === 0) return
  report(`apt-get install ${names.join(' ')}`)
  signal?.throwIfAborted()
  // Not to be interrupted: a dpkg that was ended half way has to be repaired by hand.
  const args = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...names]
  const ran = await run('apt-get', args, {
    env,
    logFile,
    onLine: (line) => /^(Get:|Unpacking|Setting up)/.test(line) && report(line),
  })
  signal?.throwIfAborted()
  report(names.join(', '))
  if (ran.code !== 0) {
    const reason =
      ran.output
        .split('\n')
        .findLast((line) => line.startsWith('E: '))
        ?.slice(3) ?? `exit code ${ran.code}`
    throw new Failure(
      `apt-get could not install ${names.join(' ')} (${reason}): install it by hand, then try again.`,
    )
  }
}

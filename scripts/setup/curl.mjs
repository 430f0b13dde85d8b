import { run } from '../process/run.mjs'
import { Failure } from '../terminal/failure.mjs'
import { installPackages, mayInstall } from './apt.mjs'

/**
 * The curl by which a test offers HTTP/2; installed where that can be done without asking, else said.
 *
 * @param {{ report: (text: string) => void, logFile?: string, signal?: AbortSignal }} options
 */
export async function ensureCurl(options) {
  let version = await curlVersion()
  if (version === null && mayInstall()) {
    await installPackages([['curl']], options)
    version = await curlVersion()
  }
  if (version === null)
    throw new Failure(
      'The integration tests need a curl with HTTP/2: install one (Debian: `sudo apt-get install curl`).',
    )
  options.report(`curl ${version}`)
}

/** @returns {Promise<string | null>} null: there is none that speaks HTTP/2 */
async function curlVersion() {
  const { code, output } = await run('curl', ['--version']).catch(() => ({ code: 1, output: '' }))
  return code === 0 && /^Features:.* HTTP2/m.test(output) ? (/^curl (\S+)/.exec(output)?.[1] ?? null) : null
}

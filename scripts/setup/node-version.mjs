import { Failure } from '../terminal/failure.mjs'

const NEEDED = [20, 19]

/** @param {string} [version] as `process.versions.node` has it */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return version
  throw new Failure(
    `Leasehold needs Node.js ${NEEDED.join('.')} or newer, and this is ${version}: install a newer one from https://nodejs.org.`,
  )
}

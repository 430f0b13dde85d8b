/** A node with a clock of its own: libfaketime, which Debian has, stands between Java and the machine's clock. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, mayInstall } from '../setup/apt.mjs'

/** @returns {string | null} the library for programs with threads */
function libfaketime() {
  const folders = readdirSync('/usr/lib')
    .map((name) => join('/usr/lib', name, 'faketime'))
    .concat('/usr/lib/faketime', '/usr/local/lib/faketime')
  return folders.map((folder) => join(folder, 'libfaketimeMT.so.1')).find((file) => existsSync(file)) ?? null
}

/**
 * @param {{ report: (text: string) => void, logFile: string, signal: AbortSignal }} options
 * @returns {Promise<string | null>} null: it is not there, and cannot be installed without asking
 */
export async function findLibfaketime(options) {
  if (process.platform !== 'linux') return null
  if (libfaketime() === null && mayInstall())
    await installPackages([['libfaketime']], options).catch(() => options.report('apt has none'))
  return libfaketime()
}

/**
 * A program that runs Java with a clock that is ahead, and monotonic time as it is. Without the last variable libfaketime
 * ends Java's timed waits at once (parkNanos(1 s) returned after 0.1 s, and a program took four times as long to start).
 *
 * @param {{ file: string, java: string, preload: string, seconds: number }} options file: where it is written
 */
export function writeJavaAhead({ file, java, preload, seconds }) {
  const text = `#!/bin/sh
LD_PRELOAD='${preload}' FAKETIME='+${seconds}s' FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0 exec '${java}' "$@"
`
  writeFileSync(file, text, { mode: 0o700 })
}

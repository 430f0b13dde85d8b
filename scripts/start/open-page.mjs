import { spawn } from 'node:child_process'

const OPENERS = { darwin: 'open', linux: 'xdg-open' }

/**
 * Opens an address in this machine's browser, if it has a screen and a way to do so. The address is printed as well: no
 * error is worth a word.
 *
 * @param {string} url
 */
export function openPage(url) {
  const opener = /** @type {Record<string, string>} */ (OPENERS)[process.platform]
  const hasScreen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (opener === undefined || !hasScreen || !process.stdout.isTTY) return
  spawn(opener, [url], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref()
}

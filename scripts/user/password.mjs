import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Failure } from '../terminal/failure.mjs'

/** @param {'asked' | 'stdin' | 'generated'} from @param {string} username @returns {Promise<string>} */
export async function passwordFrom(from, username) {
  if (from === 'generated') return randomBytes(18).toString('base64url')
  if (from === 'stdin') {
    const line = (await text(process.stdin)).replace(/\r?\n$/, '')
    // Repeated, as `ask` wants it: a password with the end of a line in it can be typed nowhere.
    if (/[\r\n]/.test(line))
      throw new Failure(
        'Standard input has more than one line: give the password once, on one line. Nothing was changed.',
        { exitCode: 2 },
      )
    return line
  }
  if (!process.stdin.isTTY)
    throw new Failure('There is no terminal to ask for a password on: use --password-stdin or --generate.', {
      exitCode: 2,
    })
  const password = await ask(`New password for ${username}: `)
  if ((await ask('Repeat the new password: ')) !== password)
    throw new Failure('The two passwords differ. Nothing was changed.')
  return password
}

/** Asks on the terminal, without showing the answer. @param {string} question @returns {Promise<string>} */
function ask(question) {
  const { stdin, stderr } = process
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  return new Promise((resolve, reject) => {
    let answer = ''
    /** @param {() => void} then */
    const end = (then) => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      then()
    }
    const take = (/** @type {string} */ typed) => {
      for (const character of typed) {
        if (character === '\r' || character === '\n') return end(() => resolve(answer))
        if (character === '\u0003' || character === '\u0004')
          return end(() => reject(new Failure('Nothing was changed.', { exitCode: 130 })))
        if (character === '\u007f' || character === '\b') answer = [...answer].slice(0, -1).join('')
        else if (character === '\u0015') answer = ''
        else if (character >= ' ') answer += character
      }
    }
    stdin.on('data', take)
  })
}

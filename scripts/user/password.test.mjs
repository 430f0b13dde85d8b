import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const command = `
  import { passwordFrom } from ${JSON.stringify(new URL('password.mjs', import.meta.url).href)}
  import { runCommand } from ${JSON.stringify(new URL('../terminal/command.mjs', import.meta.url).href)}
  await runCommand(async () => process.stdout.write(JSON.stringify(await passwordFrom('stdin', 'ann'))))`

const read = (/** @type {string} */ input) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', `${command}\n`],
    { input, encoding: 'utf8' },
  )
  return { status, stdout, stderr: stderr.trim() }
}

it.each([
  ['a long password', 'a long password'],
  ['a long password\n', 'a long password'],
  ['a long password\r\n', 'a long password'],
  [' a\tlong password ', ' a\tlong password '],
])('standard input %j is the password %j', (input, password) => {
  expect(read(input).stdout).toBe(JSON.stringify(password))
})

it.each([
  'a long password\na long password\n',
  'a long password\n\n',
  'a long password\r\n\r\n',
  'a long\rpassword',
])('standard input %j is refused: no form could take the end of a line in a password', (input) => {
  expect(read(input)).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'Standard input has more than one line: give the password once, on one line. Nothing was changed.',
  })
})

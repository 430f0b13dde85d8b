import type { ConsoleContext } from './context.ts'

export const firstUser = 'admin'

/** @returns the one-time link to print, when there is no first user yet and no password was given for one */
export async function prepareFirstUser({ config, users, setupLink }: ConsoleContext): Promise<string | null> {
  if (await users.exists(firstUser)) return null
  if (config.adminPassword === undefined) return setupLink.issue(config.publicUrl)
  await users.create(firstUser, config.adminPassword, 'admin')
  return null
}

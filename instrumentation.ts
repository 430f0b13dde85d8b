/** Next calls this once, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { noteAddresses } = await import('./lib/console/client-address.ts')
  const { rewriteUndecodablePaths } = await import('./lib/console/undecodable-path.ts')
  const { startConsole } = await import('./lib/console/start.ts')
  noteAddresses()
  rewriteUndecodablePaths()
  await startConsole()
}

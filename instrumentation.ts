/** Next calls this once, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { watchArrivals } = await import('./lib/console/http/arrivals.ts')
  const { startConsole, startedConsole } = await import('./lib/console/start/start.ts')
  watchArrivals(() => startedConsole()?.config.publicUrl)
  await startConsole()
}

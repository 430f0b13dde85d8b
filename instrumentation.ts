/** Next calls this once, before the first request. The console's own server has started the console by then. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startConsoleUnderNext } = await import('./lib/console/start/start.ts')
  await startConsoleUnderNext()
}

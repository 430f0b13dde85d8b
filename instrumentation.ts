import type { Instrumentation } from 'next'

/** Next calls this once, before the first request. The console's own server has started the console by then. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startConsoleUnderNext } = await import('./lib/console/start/start.ts')
  await startConsoleUnderNext()
}

/** Next calls this for each error of a page. */
export const onRequestError: Instrumentation.onRequestError = async (error, _, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { pageThrew } = await import('./lib/console/http/log/failed-pages.ts')
  pageThrew(error, routePath)
}

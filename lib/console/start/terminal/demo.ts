import { terminalAuthority } from '../../audit/authority.ts'
import { startDemo } from '../../lab/lab-acts.ts'
import type { ConsoleContext } from '../context.ts'

/** A console without its demo is one all the same. */
export async function demonstrate(context: ConsoleContext): Promise<void> {
  const link = (path: string) => console.log(`demo: ${new URL(path, context.config.publicUrl)}`)
  try {
    const { run } = await startDemo(context, terminalAuthority('npm run demo'))
    link(`/lab/${run}`)
  } catch (error) {
    context.log.warn({ error }, 'the run of the lab for `npm run demo` was not started')
    link('/lab')
  }
}

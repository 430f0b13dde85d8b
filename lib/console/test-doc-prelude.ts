/** For the documentation's test alone: what an `@example` of the console takes for granted besides the library's. */
import { testConsole } from './test-console.ts'

/** Made for one run, and dropped after it. */
export const consoleKeyspace = `documentation_console_${process.pid}`

export const { context } = await testConsole(consoleKeyspace)

#!/usr/bin/env node
import { main } from './main.ts'

// Whoever reads what is written may have heard enough (`| head`).
process.stdout.on('error', () => process.exit(0))
process.stderr.on('error', () => {})

const code = await main(process.argv.slice(2))
// A driver that could not connect leaves sockets and timers behind: nothing waits for them.
process.stdout.write('', () => process.exit(code))

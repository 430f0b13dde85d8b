#!/usr/bin/env node
import { main } from './main.ts'

// The reader of the output may close it early (`| head`).
process.stdout.on('error', () => process.exit(0))
process.stderr.on('error', () => {})

const code = await main(process.argv.slice(2))
// A driver that could not connect leaves sockets and timers behind, which would keep the process alive.
process.stdout.write('', () => process.exit(code))

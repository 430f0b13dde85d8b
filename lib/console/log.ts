import pino, { type LoggerOptions } from 'pino'

export const logOptions: LoggerOptions = {
  base: { service: 'leasehold' },
  // By default pino writes errors under `err` alone, and others as an empty object.
  serializers: { error: pino.stdSerializers.err },
  timestamp: pino.stdTimeFunctions.isoTime,
  level: process.env.NODE_ENV === 'test' ? 'silent' : 'info',
}

/** The structured log: acts, refusals and faults. Never passwords, cookies, plans or one-time links. */
export const log = pino(logOptions)
export type Log = typeof log

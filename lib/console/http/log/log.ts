import pino, { type LoggerOptions } from 'pino'

/** Fields that hold a secret, in a line itself or in an object in it. */
const secrets = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'secret',
  'clientSecret',
  'plan',
  'link',
  'sessionId',
  'cookie',
  'authorization',
  '["set-cookie"]',
]

export const logOptions: LoggerOptions = {
  base: { service: 'leasehold' },
  // By default pino writes errors under `err` alone, and others as an empty object.
  serializers: { error: serialized },
  timestamp: pino.stdTimeFunctions.isoTime,
  level: process.env.NODE_ENV === 'test' ? 'silent' : 'info',
  // A second line of defence: code does not log these in the first place.
  redact: { paths: secrets.flatMap((name) => [name, name.startsWith('[') ? `*${name}` : `*.${name}`]) },
}

/** pino joins the messages of an error and of its causes by colons, and ours are sentences: "It did not answer in time: …". */
function serialized(error: Error): unknown {
  const said = pino.stdSerializers.err(error)
  return typeof said?.message === 'string' ? { ...said, message: said.message.replaceAll('.: ', ': ') } : said
}

/**
 * Lines are written together: one write a line is a tenth of what a request costs. The last of them are written when the
 * process ends, unless it is killed.
 */
function destination() {
  return pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 100 })
}

/** The structured log: acts, refusals and faults. Never passwords, cookies, tokens, plans or one-time links. */
export const log = pino(logOptions, destination())
export type Log = typeof log

/**
 * The same log, for lines that are written for each request, and whose fields all stand in the code. It looks for no secrets in
 * them: that takes seven times as long as the rest of the line.
 */
export const withoutSearch = (log: Log): Log => log.child({}, { redact: [] })

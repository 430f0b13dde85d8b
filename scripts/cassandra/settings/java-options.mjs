import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { nodePlaces } from './places.mjs'

/**
 * What Cassandra reaches into inside the JDK, as `conf/jvm17-server.options` and `conf/jvm11-server.options` of its
 * distribution list it. The two lists are joined: naming a package that a version does not have is a warning, not
 * naming one that it has is a crash.
 */
const EXPORTS = [
  'java.base/java.lang.ref',
  'java.base/jdk.internal.misc',
  'java.base/jdk.internal.ref',
  'java.base/jdk.internal.util',
  'java.base/sun.nio.ch',
  'java.management.rmi/com.sun.jmx.remote.internal.rmi',
  'java.rmi/sun.rmi.registry',
  'java.rmi/sun.rmi.server',
  'java.sql/java.sql',
  'jdk.attach/sun.tools.attach',
  'jdk.compiler/com.sun.tools.javac.file',
  'jdk.unsupported/sun.misc',
]

const OPENS = [
  'java.base/java.io',
  'java.base/java.lang',
  'java.base/java.lang.module',
  'java.base/java.lang.reflect',
  'java.base/java.util',
  'java.base/jdk.internal.loader',
  'java.base/jdk.internal.math',
  'java.base/jdk.internal.module',
  'java.base/jdk.internal.ref',
  'java.base/jdk.internal.reflect',
  'java.base/jdk.internal.util.jar',
  'java.base/sun.nio.ch',
  'jdk.compiler/com.sun.tools.javac',
  'jdk.management/com.sun.management.internal',
]

/**
 * For a node that ends before the optimising compiler pays for itself. A start took 12.0 s of processor time, and 7.0 s so; a
 * minute of schema changes and conditional writes 90 s, and 62 s so.
 */
export const SHORT_LIVED = ['-XX:TieredStopAtLevel=1']

/** By this argument a process is known to be the node of a data directory. @param {string} dataDir */
export const markOf = (dataDir) => `-Dcassandra.storagedir=${nodePlaces(dataDir).storage}`

/**
 * The arguments that turn `java` into the embedded node.
 *
 * @param {{ dataDir: string, jarsDir: string, heapMb: number, javaOptions?: string[] }} options javaOptions: added to ours
 * @returns {string[]}
 */
export function javaArguments({ dataDir, jarsDir, heapMb, javaOptions = [] }) {
  const places = nodePlaces(dataDir)
  const jars = readdirSync(jarsDir)
    .filter((name) => name.endsWith('.jar'))
    .sort()
  const agent = jars.find((name) => /^jamm-[\d.]+\.jar$/.test(name))
  return [
    // It measures objects for Cassandra's memory limits; without the agent it guesses.
    ...(agent ? [`-javaagent:${join(jarsDir, agent)}`] : []),
    `-Xms${heapMb}m`,
    `-Xmx${heapMb}m`,
    '-Xss512k',
    '-XX:+UseSerialGC',
    '-XX:-UsePerfData',
    // A node out of memory is neither up nor down: it ends instead, and the supervisor says so.
    '-XX:+ExitOnOutOfMemoryError',
    `-XX:ErrorFile=${places.logs}/jvm-crash.log`,
    ...EXPORTS.flatMap((name) => ['--add-exports', `${name}=ALL-UNNAMED`]),
    ...OPENS.flatMap((name) => ['--add-opens', `${name}=ALL-UNNAMED`]),
    '-Djdk.attach.allowAttachSelf=true',
    '-Dio.netty.tryReflectionSetAccessible=true',
    '-Djava.net.preferIPv4Stack=true',
    '-Dfile.encoding=UTF-8',
    `-Djava.io.tmpdir=${places.tmp}`,
    `-Djna.tmpdir=${places.tmp}`,
    markOf(dataDir),
    `-Dcassandra.config=${pathToFileURL(places.yaml)}`,
    `-Dcassandra.logdir=${places.logs}`,
    `-Dlogback.configurationFile=${pathToFileURL(places.logback)}`,
    // No JMX: it needs no password, and any program that reaches it can load code into the node.
    // There is no other node to gossip with, or to announce a shutdown to.
    '-Dcassandra.shutdown_announce_in_ms=0',
    '-Dcassandra.skip_wait_for_gossip_to_settle=0',
    '-Dcassandra.ring_delay_ms=1000',
    '-Dcassandra.superuser_setup_delay_ms=0',
    // Every connection signs in. Hashing slowly protects passwords that people choose; those of our roles are 32 random
    // bytes, and a sign-in would cost 50 ms and more.
    '-Dcassandra.auth_bcrypt_gensalt_log2_rounds=4',
    // A start that was cut off may set a password again at once (../roles/roles.mjs); 5 s would have to pass otherwise.
    '-Dcassandra.role_password_update_min_interval_in_ms=0',
    '-Dcassandra-foreground=yes',
    ...javaOptions,
    '-cp',
    [places.conf, ...jars.map((name) => join(jarsDir, name))].join(delimiter),
    'org.apache.cassandra.service.CassandraDaemon',
  ]
}

/** The variables by which a Java program finds its home, its libraries, its language and its time zone. */
const JAVA_VARIABLES =
  /^(HOME|USER|LOGNAME|PATH|JAVA_HOME|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|LANG|LC_\w+|TZ|TMPDIR)$/

/**
 * The node's environment: of ours only what Java needs. It does not get the passwords of the console, and options meant
 * for the user's other Java programs (JAVA_TOOL_OPTIONS) would override ours.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export const javaEnvironment = (env = process.env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => JAVA_VARIABLES.test(name)))

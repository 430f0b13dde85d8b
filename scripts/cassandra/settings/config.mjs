/**
 * The configuration of an embedded node: one data centre, one node (tests: several), reachable from this machine alone.
 */

/**
 * Paths are written as JSON strings, which YAML reads as they are, whatever characters they hold.
 *
 * @param {{
 *   storage: string, nativePort: number, storagePort: number, clusterName?: string, host?: string, seed?: string, isOpen?: boolean,
 *   paxosVariant?: 'v1' | 'v2',
 * }} options isOpen: clients need no password
 * @returns {string} cassandra.yaml
 */
export function cassandraYaml({
  storage,
  nativePort,
  storagePort,
  clusterName = 'Leasehold',
  host = '127.0.0.1',
  seed = host,
  isOpen = false,
  paxosVariant = 'v2',
}) {
  const path = (/** @type {string} */ name) => JSON.stringify(`${storage}/${name}`)
  return `# Written at every start; changes are lost.
cluster_name: ${JSON.stringify(clusterName)}
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "${seed}:${storagePort}"

# Loopback only: other machines reach these leases through the console.
listen_address: ${host}
rpc_address: ${host}
storage_port: ${storagePort}
native_transport_port: ${nativePort}

data_file_directories:
  - ${path('data')}
commitlog_directory: ${path('commitlog')}
saved_caches_directory: ${path('saved_caches')}
hints_directory: ${path('hints')}
cdc_raw_directory: ${path('cdc_raw')}

# SERIAL reads commute with each other under v2; under v1 (still the default) they pre-empt writers.
paxos_variant: ${paxosVariant}

# A lease that was acknowledged must survive kill -9 and a power cut. "periodic", the default, acknowledges first:
# kill -9 amid 8 writers then lost 12 to 51 acknowledged leases, three times of three; "batch" lost none.
commitlog_sync: batch
commitlog_segment_size: 8MiB
commitlog_total_space: 256MiB

# A node that cannot write must not linger half alive: it ends, and the supervisor says why.
disk_failure_policy: die
commit_failure_policy: die

# There is one node: no other one to keep hints for, and no operator who would look for a snapshot.
hinted_handoff_enabled: false
auto_snapshot: false
incremental_backups: false
cdc_enabled: false
user_defined_functions_enabled: false

# roles.mjs sets up roles and grants, before npm start says that the node is ready.
authenticator: ${isOpen ? 'AllowAllAuthenticator' : 'PasswordAuthenticator'}
authorizer: ${isOpen ? 'AllowAllAuthorizer' : 'CassandraAuthorizer'}
role_manager: CassandraRoleManager
# A password that was changed is refused at once; for 2 s more it would be taken from the cache.
credentials_validity: 0ms
`
}

/**
 * @param {{ logs: string }} options
 * @returns {string} logback.xml
 */
export function logbackXml({ logs }) {
  const dir = logs.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
  return `<!-- Written at every start; changes are lost. -->
<configuration scan="false">
  <shutdownHook/>
  <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
    <file>${dir}/system.log</file>
    <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
      <fileNamePattern>${dir}/system.%i.log</fileNamePattern>
      <minIndex>1</minIndex>
      <maxIndex>3</maxIndex>
    </rollingPolicy>
    <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
      <maxFileSize>10MB</maxFileSize>
    </triggeringPolicy>
    <encoder>
      <pattern>%date{ISO8601} %-5level [%thread] %logger{0}: %msg%n</pattern>
    </encoder>
  </appender>
  <!-- startup.mjs reads there whether this process has its ports. -->
  <appender name="STARTUP" class="ch.qos.logback.core.FileAppender">
    <file>${dir}/startup.log</file>
    <append>false</append>
    <encoder>
      <pattern>%date{ISO8601} %-5level %msg%n</pattern>
    </encoder>
  </appender>
  <logger name="org.apache.cassandra.service.CassandraDaemon">
    <appender-ref ref="STARTUP"/>
  </logger>
  <root level="INFO">
    <appender-ref ref="FILE"/>
  </root>
</configuration>
`
}

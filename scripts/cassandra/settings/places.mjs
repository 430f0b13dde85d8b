import { join } from 'node:path'

/**
 * The files of an embedded node, inside its data directory. One home for these names: the supervisor,
 * the statement runner and the tests look things up by them.
 *
 * @param {string} dataDir absolute
 */
export function nodePlaces(dataDir) {
  const home = join(dataDir, 'cassandra')
  return {
    home,
    /** What Cassandra stores: data, commit log, caches, hints. */
    storage: join(home, 'storage'),
    conf: join(home, 'conf'),
    logs: join(home, 'logs'),
    /** Native libraries are unpacked here: /tmp may be mounted noexec, and a killed node would leave them there. */
    tmp: join(home, 'tmp'),
    yaml: join(home, 'conf', 'cassandra.yaml'),
    logback: join(home, 'conf', 'logback.xml'),
    systemLog: join(home, 'logs', 'system.log'),
    output: join(home, 'logs', 'output.log'),
    /** What this start, and no earlier one, said of itself. */
    startupLog: join(home, 'logs', 'startup.log'),
    /** The passwords of its roles. With the data: a copy of the one without the other is of no use. */
    rolesFile: join(home, 'roles.json'),
    /** The process that started the node; one node has one owner. */
    ownerFile: join(home, 'owner.json'),
    /** The node's process and its ports. */
    pidFile: join(home, 'node.json'),
  }
}

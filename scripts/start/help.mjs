export const START_HELP = `npm start: the console, on an embedded Cassandra or on your own cluster

Usage
  npm start                 everything: packages, Cassandra, build, console
  npm start -- --help       this text

It needs Node 20.19 or newer, Java 11 or 17, and Maven. On Debian, as root, it installs
Java and Maven if they are missing; elsewhere it says what to install. Then it installs
the packages, fetches and starts an embedded Cassandra on loopback, builds the console
when its sources have changed, and serves it. Data and logs are kept in .leasehold/.
Ctrl-C or SIGTERM stops Leasehold; a second Ctrl-C forces it.

Environment (README.md lists all variables)
  PORT                       3000          the port of the console
  HOST                       127.0.0.1     the address it listens on
  PUBLIC_URL                 http://localhost:$PORT: the address that browsers use
  CASSANDRA_CONTACT_POINTS   none          host[:port],…: your cluster; starts no Cassandra
  CASSANDRA_LOCAL_DC         datacenter1
  CASSANDRA_KEYSPACE         leasehold
  CASSANDRA_USERNAME, CASSANDRA_PASSWORD     the role that writes; docs/operations.md
                             says how to add a reader and a schema role
  LEASEHOLD_DATA_DIR         .leasehold    logs, keys, data of the embedded Cassandra
  LEASEHOLD_CASSANDRA_PORT   9042, or the next free one: of the embedded Cassandra
  LEASEHOLD_ADMIN_PASSWORD   none          of the user admin; if none is set, a sign-in
                             link is printed
  LEASEHOLD_DEBUG            none          1: error messages include a stack trace
  JAVA_HOME                  none          the Java to use, 11 or 17; where it has neither,
                             npm start says so and uses another one of this machine

Examples
  npm start
  PORT=8080 npm start
  CASSANDRA_CONTACT_POINTS=10.0.0.5,10.0.0.6 CASSANDRA_LOCAL_DC=dc1 npm start
  npm run cql -- "SELECT * FROM leases"
`

export const DEVELOP_HELP = `npm run dev: the console from its sources, with hot reload, for developers

Usage
  npm run dev               packages, Cassandra, console
  npm run dev -- --help     this text

It reads the same environment as npm start (npm start -- --help). It differs in this:
  - Next's development server runs the console from its sources. There is no build; a
    page changes when its source does.
  - Data and logs are kept in .leasehold-dev/. Set PORT, and it runs beside npm start.
  - It takes Cassandra's jars from .leasehold/ if npm start has fetched them.
Ctrl-C stops Leasehold.

Examples
  npm run dev
  PORT=3001 npm run dev
  LEASEHOLD_ADMIN_PASSWORD='correct horse' npm run dev     no sign-in link at the first start
  LEASEHOLD_DATA_DIR=.leasehold-dev npm run cql -- "SELECT * FROM leases"
`

export const DEMO_HELP = `npm run demo: the console, and in it an election whose leader is about to die

Usage
  npm run demo              as npm start, then opens the election lab
  npm run demo -- --help    this text

It does what npm start does, with the same environment and the same data, and starts a
run of the scenario "Crash and takeover". When the console is ready, it prints the run's
link, and opens it where this machine has a browser. The leader lives until the run has
a viewer. Sign in first; at the first start the sign-in link sets the password, and the
run's link works after that.
The run ends by itself after 15 minutes, and leaves only its journal. On a cluster of
your own the lab is off, and no run is started: LEASEHOLD_LAB=enabled switches it on.
Ctrl-C stops Leasehold.

Examples
  npm run demo
  LEASEHOLD_ADMIN_PASSWORD='correct horse' npm run demo     no sign-in link
`

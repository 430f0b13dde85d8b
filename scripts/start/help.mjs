export const START_HELP = `npm start: Leasehold's console, with a Cassandra of its own or on yours

Usage
  npm start                 everything: packages, Cassandra, build, console
  npm start -- --help       this text

It checks what the machine has (Node 20.19+, Java 11 or 17, Maven) and installs what
is missing where it can (Debian as root), fetches and starts an embedded Cassandra on
loopback, builds the console when its sources have changed, and serves it. Ctrl-C or
SIGTERM stops Leasehold; a second Ctrl-C forces it. Data stay in .leasehold/.

Environment (the README has the rest of what the console reads)
  PORT                       3000          of the console
  HOST                       127.0.0.1     the address it listens on
  PUBLIC_URL                 http://localhost:$PORT
  CASSANDRA_CONTACT_POINTS   none          host[:port],…: use this cluster, start none
  CASSANDRA_LOCAL_DC         datacenter1
  CASSANDRA_KEYSPACE         leasehold
  CASSANDRA_USERNAME, CASSANDRA_PASSWORD     who modifies, or does all; further roles:
                             docs/operations.md
  LEASEHOLD_DATA_DIR         .leasehold    data of the embedded Cassandra, logs
  LEASEHOLD_CASSANDRA_PORT   9042, or the next free one
  LEASEHOLD_ADMIN_PASSWORD   none          without it, a sign-in link is printed
  LEASEHOLD_DEBUG            none          1: failures show their stack
  JAVA_HOME                  none          the Java to use, if there are several

Examples
  npm start
  PORT=8080 npm start
  CASSANDRA_CONTACT_POINTS=10.0.0.5,10.0.0.6 CASSANDRA_LOCAL_DC=dc1 npm start
  npm run cql -- "SELECT * FROM leases"
`

export const DEVELOP_HELP = `npm run dev: Leasehold's console from its sources, for those who change it

Usage
  npm run dev               packages, Cassandra, console; a page changes when its source does
  npm run dev -- --help     this text

As npm start, with the same environment (npm start -- --help), but for three things: the
console runs from its sources in Next's development server, with no build before it; data
stay in .leasehold-dev/, so it runs beside npm start on another PORT; and jars that npm
start has fetched are used. Ctrl-C stops Leasehold.

Examples
  npm run dev
  PORT=3001 npm run dev
  LEASEHOLD_ADMIN_PASSWORD='correct horse' npm run dev     no sign-in link at the first start
  LEASEHOLD_DATA_DIR=.leasehold-dev npm run cql -- "SELECT * FROM leases"
`

import cassandra from 'cassandra-driver'

const { DefaultLoadBalancingPolicy, LoadBalancingPolicy } = cassandra.policies.loadBalancing

/** Sends a statement on one partition to its first live replica; the other nodes in the driver's own order. */
export class FirstReplicaPolicy extends LoadBalancingPolicy {
  /** @param {string} localDc */
  constructor(localDc) {
    super()
    this.others = new DefaultLoadBalancingPolicy({ localDc })
  }

  init(client, hosts, callback) {
    this.client = client
    this.others.init(client, hosts, callback)
  }

  getDistance(host) {
    return this.others.getDistance(host)
  }

  newQueryPlan(keyspace, options, callback) {
    this.others.newQueryPlan(keyspace, options, (error, plan) => {
      if (error) return callback(error)
      const routingKey = options?.getRoutingKey()
      const where = options?.getKeyspace() ?? keyspace
      const replicas = (routingKey && where && this.client.getReplicas(where, routingKey)) || []
      const first = replicas.find((host) => host.isUp() && this.getDistance(host) === 0)
      callback(null, first === undefined ? plan : firstThen(first, plan))
    })
  }
}

function* firstThen(first, plan) {
  yield first
  for (const host of plan) if (host !== first) yield host
}

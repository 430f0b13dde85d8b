/** The TTL that every holder asks its server for. The shortest that Leasehold keeps alive. */
export const ttlSeconds = 6
/** Holders whose client does not renew by itself renew at a third of the TTL, as the clients of etcd and ZooKeeper do. */
export const renewEveryMs = (ttlSeconds * 1_000) / 3

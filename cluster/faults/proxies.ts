/**
 * A proxy before each node, at the node's own address and another port. Cassandra names its nodes by their addresses
 * alone, so clients that begin at one proxy find the others.
 */
import { type PassingStatement, StatementProxy } from '../../lib/leasehold/testing/index.ts'
import type { Machine } from '../machine.ts'

interface Observer {
  arrives(statement: PassingStatement): void
  answered(statement: PassingStatement, failed: boolean): void
}

export class NodeProxies {
  readonly #proxies: StatementProxy[] = []
  readonly #delaysMs: number[] = []

  static async listen({ nodes, proxyPort }: Machine, { arrives, answered }: Observer): Promise<NodeProxies> {
    const all = new NodeProxies()
    for (const [i, { host, port }] of nodes.entries()) {
      const fault = () => {
        const ms = all.#delaysMs[i] ?? 0
        return ms === 0 ? undefined : ({ kind: 'hold-request', ms } as const)
      }
      const at = { host, port: proxyPort }
      all.#proxies.push(await StatementProxy.listen(host, port, { at, fault, arrives, answered }))
    }
    return all
  }

  get contactPoints(): string[] {
    return this.#proxies.map(({ contactPoint }) => contactPoint)
  }

  of(node: number): StatementProxy {
    return this.#proxies[node] as StatementProxy
  }

  /** Every statement to this node takes so much longer. */
  slow(node: number, ms: number): void {
    this.#delaysMs[node] = ms
  }

  get underWay(): number {
    return this.#proxies.reduce((sum, { underWay }) => sum + underWay, 0)
  }

  async close(): Promise<void> {
    await Promise.all(this.#proxies.map((proxy) => proxy.close()))
  }
}

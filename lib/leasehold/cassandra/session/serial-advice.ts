import { InvalidArgumentError } from '../../lease/index.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import type { SerialLevel } from './statement.ts'

/**
 * Advice on a serial level in this cluster, as a sentence for people; null: the level is the right one.
 * @param localDataCenter undefined: the caller's client does not name one
 * @throws InvalidArgumentError where no statement at this level could ever succeed
 */
export function serialAdvice(
  serial: SerialLevel,
  { keyspace, localDataCenter }: { keyspace: string; localDataCenter: string | undefined },
  { replication }: Pick<ClusterFacts, 'replication'>,
): string | null {
  if (replication === null) return null
  const { strategy, copies } = replication
  const level = `serial is ${serial}`
  if (copies === null) {
    if (serial === 'SERIAL') return null
    throw new InvalidArgumentError(
      `${level}, but the keyspace ${keyspace} has ${strategy}, which knows no data centres. Use SERIAL, or alter the keyspace to NetworkTopologyStrategy.`,
    )
  }
  const holders = Object.keys(copies).filter((dataCenter) => (copies[dataCenter] ?? 0) > 0)
  const where = `the keyspace ${keyspace} is kept in ${holders.join(', ') || 'no data centre'}`
  if (localDataCenter !== undefined && !holders.includes(localDataCenter)) {
    if (serial === 'SERIAL')
      return `${level}; ${where}, and not in the local ${localDataCenter}: every statement crosses to another data centre.`
    throw new InvalidArgumentError(
      `${level}, but ${where}, and not in the local ${localDataCenter}. Use SERIAL, or alter the keyspace.`,
    )
  }
  if (serial === 'SERIAL') return null
  return holders.length === 1
    ? `${level}; ${where} alone, where SERIAL does the same, and stays right when a data centre is added.`
    : `${level}; ${where}: two data centres can each grant a lease. Keep all programs in ${localDataCenter ?? 'one of them'}, or use SERIAL everywhere.`
}

import { expect, it } from 'vitest'
import { auditStatements } from '../chain/audit-statements.ts'
import { verifyStatements } from './verify-statements.ts'

it('partitions are listed ten at a time: with a thousand, 90 that a client had planted ended a node that read their heads', () => {
  const { buckets, bucketsAfter } = auditStatements('k', 'SERIAL')
  const ofVerify = verifyStatements('k.audit_log')
  for (const cql of [buckets.cql, bucketsAfter.cql, ofVerify.buckets, ofVerify.bucketsAfter])
    expect(Number(/ LIMIT (\d+)$/.exec(cql)?.[1])).toBeLessThanOrEqual(10)
})

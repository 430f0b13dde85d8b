import { expect, it } from 'vitest'
import type { Verdict } from '../../lib/contract/leases/doctor.ts'
import { summaryOf } from './report-summary.ts'

const of = (verdict: Verdict, ...verdicts: Verdict[]) =>
  summaryOf(
    verdict,
    verdicts.map((each) => ({ verdict: each })),
  )

it('counts the findings of each verdict, the worst first', () => {
  expect(of('fail', 'ok', 'fail', 'ok', 'warn', 'unknown').counts).toBe(
    '1 failed, 1 warning, 1 unknown, 2 ok',
  )
  expect(of('warn', 'warn', 'warn').counts).toBe('2 warnings')
  expect(of('ok', 'ok')).toMatchObject({ title: 'Every check is ok.', counts: '1 ok' })
})

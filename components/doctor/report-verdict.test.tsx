import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { DoctorReport, Verdict } from '../../lib/contract/leases/doctor.ts'
import { ReportVerdict } from './report-verdict.tsx'

const of = (verdict: Verdict, stale: boolean): string => {
  const report: DoctorReport = { verdict, findings: [], now: '2026-11-29T19:02:38.000Z' }
  return renderToStaticMarkup(createElement(ReportVerdict, { report, arrivedAtMs: 0, stale }))
}
const textOf = (html: string) => html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

it('a report that is current says how leases are', () => {
  expect(of('ok', false)).toContain('class="say ok"')
  expect(textOf(of('ok', false))).toContain('Every check is ok.')
})

it.each([
  ['ok', 'every check was ok.'],
  ['unknown', 'what could be checked was ok.'],
  ['warn', 'no check failed. Some settings made leases slower'],
  ['fail', 'a check failed: leases were not safe'],
] as const)(
  '%s: a report that could not be read again is of an earlier time, without a colour',
  (verdict, words) => {
    const html = of(verdict, true)
    expect(html).toContain('class="say calm"')
    expect(textOf(html)).toContain(`When the doctor last answered, ${words}`)
    expect(html).toContain('dateTime="2026-11-29T19:02:38.000Z"')
    expect(textOf(html)).not.toMatch(/ is ok| make |Mend this first/)
  },
)

'use client'

import { createContext, type ReactNode, useCallback, useContext } from 'react'
import { serverNow } from '../../../lib/client/call/call.ts'
import { pastLeftText } from '../../../lib/client/time/time-text.ts'
import { DialogLead, DialogTitle } from '../../ui/control/dialog.tsx'
import { Ticking } from '../../ui/text/ticking.tsx'
import { LeaseName } from '../holder/lease-name.tsx'
import { OwnerText } from '../holder/owner-text.tsx'
import type { Headline } from '../progress/headline.ts'

/** On its permalink's page the headline of a release is the page's own heading. */
export const OnPage = createContext(false)

/** "Broken: billing/payout-run, safe in 00:22" */
export function HeadlineText({ headline, name }: { headline: Headline; name: string }) {
  const { act, outcome, owner, untilMs } = headline
  return (
    <>
      {act}: <LeaseName name={name} />, {outcome}
      {owner !== undefined && (
        <>
          {' '}
          <OwnerText owner={owner} />
        </>
      )}
      {untilMs !== undefined && <TimeUntil untilMs={untilMs} />}
    </>
  )
}

/** Hidden from live regions, which would say each second; screen readers find the clock below. */
function TimeUntil({ untilMs }: { untilMs: number }) {
  const text = useCallback((nowMs: number) => leftUntil(untilMs, nowMs), [untilMs])
  return (
    <span aria-hidden="true">
      {' '}
      <Ticking text={text} />
    </span>
  )
}

export const leftUntil = (untilMs: number, nowMs: number): string =>
  pastLeftText(Math.max(0, untilMs - serverNow(nowMs)))

/** What is, in one line, and what follows from it. Said aloud when it changes. */
export function ResultHead({
  headline,
  name,
  children,
}: {
  headline: Headline
  name: string
  children?: ReactNode
}) {
  const onPage = useContext(OnPage)
  const title = <HeadlineText headline={headline} name={name} />
  if (onPage)
    return (
      <div role="status">
        <span className="vh">{title}.</span> {children && <p>{children}</p>}
      </div>
    )
  return (
    <div role="status">
      <DialogTitle>{title}</DialogTitle>
      {children && <DialogLead>{children}</DialogLead>}
    </div>
  )
}

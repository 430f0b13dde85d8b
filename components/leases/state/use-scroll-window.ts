'use client'

import { type RefObject, useCallback, useEffect, useState } from 'react'
import { pageNow } from '../../../lib/client/time/page-clock.ts'
import { type LeaseWindow, windowAt } from '../../../lib/client/view/lease-view.ts'

/** As app/styles/leases/table.css has it. A narrow row may be higher, by what a long name needs. */
const rowPx = { wide: 40, narrow: 91 }
const narrow = '(max-width: 820px)'
/** A page that is being scrolled asks for rows when it rests, and now and then on the way. */
const restMs = 80
const onTheWayMs = 300

const rowHeightPx = () => (matchMedia(narrow).matches ? rowPx.narrow : rowPx.wide)

/**
 * The part of the list that the page is scrolled to. `heightPx`: of a row that is not drawn; 0 until the page runs, because
 * the server does not know how wide the page is.
 */
export function useScrollWindow(table: RefObject<HTMLElement | null>) {
  const [window_, setWindow] = useState<LeaseWindow>(() =>
    windowAt(0, typeof window === 'undefined' ? 0 : Math.ceil(window.innerHeight / rowPx.wide)),
  )
  const [heightPx, setHeight] = useState(0)

  const look = useCallback(() => {
    const px = rowHeightPx()
    setHeight(px)
    const top = table.current?.getBoundingClientRect().top ?? 0
    const next = windowAt(Math.max(0, Math.floor(-top / px)), Math.ceil(window.innerHeight / px))
    setWindow((now) => (now.offset === next.offset && now.limit === next.limit ? now : next))
  }, [table])

  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined
    let lastMs = pageNow()
    const run = () => {
      lastMs = pageNow()
      look()
    }
    const onScroll = () => {
      clearTimeout(rest)
      if (pageNow() - lastMs >= onTheWayMs) run()
      else rest = setTimeout(run, restMs)
    }
    run()
    addEventListener('scroll', onScroll, { passive: true })
    addEventListener('resize', onScroll, { passive: true })
    return () => {
      clearTimeout(rest)
      removeEventListener('scroll', onScroll)
      removeEventListener('resize', onScroll)
    }
  }, [look])

  return { window: window_, heightPx }
}

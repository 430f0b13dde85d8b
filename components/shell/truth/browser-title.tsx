'use client'

import { useEffect } from 'react'
import { useLost } from './use-connection.ts'
import { useClocksApart, useDistrust } from './use-distrust.ts'

/**
 * The title of the browser's tab: an alarm before what the page says of itself. Next writes the page's own title into the
 * document whenever it likes; it is read from there, and written again with what belongs before it.
 */
let page = ''
let written: string | null = null
let said: string | null = null
let alarm: string | null = null

function write(): void {
  if (document.title !== written) page = document.title
  const parts = [alarm, said === null ? page : `${said} · Leasehold`]
  written = parts.filter((part) => part !== null).join(' · ')
  if (document.title !== written) document.title = written
}

/** What the tab is called instead of the page's own title; null: that. */
export function sayTitle(text: string | null): void {
  said = text
  write()
}

/** While it is shown the tab is called this. */
export function useTitle(text: string): void {
  useEffect(() => {
    sayTitle(text)
    return () => sayTitle(null)
  }, [text])
}

/** Puts an alarm before the title of the tab: a console that lies in the background is seen there first. */
export function TitleAlarm() {
  const lost = useLost()
  const distrusted = useDistrust().length > 0
  const clocksApart = useClocksApart() !== null
  const text =
    lost !== null ? alarmOf(lost) : distrusted ? '⚠ Canary failed' : clocksApart ? '⚠ Clocks apart' : null
  useEffect(() => {
    alarm = text
    write()
  }, [text])
  useEffect(() => {
    const observer = new MutationObserver(write)
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      alarm = null
      write()
    }
  }, [])
  return null
}

function alarmOf({ cause, nodes }: NonNullable<ReturnType<typeof useLost>>): string {
  if (cause === 'server') return '⚠ No server'
  return cause === 'silence' || nodes === null ? '⚠ No answer' : '⚠ No quorum'
}

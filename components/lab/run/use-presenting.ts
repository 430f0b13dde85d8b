'use client'

import { useEffect } from 'react'
import { useUrlState } from '../../leases/address/use-url-state.ts'

/** Larger type and no chrome, as the URL says. */
export function usePresenting(): [boolean, (on: boolean) => void] {
  const { params, change } = useUrlState()
  const isOn = params.has('present')
  useEffect(() => {
    const { dataset } = document.documentElement
    if (!isOn) return
    dataset.present = ''
    return () => {
      delete dataset.present
    }
  }, [isOn])
  return [isOn, (on) => change({ present: on ? '1' : undefined }, 'replace')]
}

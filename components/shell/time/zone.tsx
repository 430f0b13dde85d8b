'use client'

import { useSyncExternalStore } from 'react'
import { preference } from '../../../lib/client/preference.ts'
import type { Zone } from '../../../lib/client/time/time-text.ts'
import { Segments } from '../../ui/text/segments.tsx'

const zone = preference<Zone>('leasehold.zone', ['utc', 'local'])

/** The zone in which clock times are said; the same all over the page. */
export const useZone = (): Zone => useSyncExternalStore(zone.subscribe, zone.read, () => 'utc')

/** Says clock times in this zone from now on. */
export const setZone = zone.write

const options = [
  { value: 'utc', text: 'UTC' },
  { value: 'local', text: 'Local' },
] as const

export function ZoneSwitch() {
  return <Segments<Zone> label="Time zone" options={options} value={useZone()} onChange={zone.write} />
}

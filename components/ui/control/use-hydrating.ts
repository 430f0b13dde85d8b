import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** True on the server, and while the browser takes its HTML over: what is drawn then has to be the same on both sides. */
export const useHydrating = (): boolean =>
  useSyncExternalStore(
    never,
    () => false,
    () => true,
  )

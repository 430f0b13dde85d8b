import { toggledStates, viewOf } from '../../../lib/client/view/lease-view.ts'
import type { LeaseStateName } from '../../../lib/contract/leases/lease.ts'
import type { UrlPatch } from './use-url-state.ts'

/** The press of a state's filter, from the states that the URL names at that moment. null: all states. */
export const statePatch =
  (state: LeaseStateName | null) =>
  (params: URLSearchParams): UrlPatch => ({
    state: state === null ? undefined : toggledStates(viewOf((name) => params.get(name)).states, state),
  })

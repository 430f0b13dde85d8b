/** Requests to the router by itself: the rooms that it asks are given by the test. */
import { systemClock } from 'leasehold/time'
import type { Api } from '../api.ts'
import { RequestLimits } from '../limits/request-limits.ts'
import { log } from '../log/log.ts'
import { serve } from '../router.ts'

/** What is asked before any handler is. */
export const context = () =>
  ({
    config: { publicUrl: new URL('http://localhost:3000'), trustProxy: false },
    clock: systemClock,
    log,
    requestLog: log,
    noteRefusal: () => {},
    reads: {},
    requestLimits: new RequestLimits(log),
    devices: { known: async () => null },
  }) as unknown as Api

export const ask = (path: string, init: RequestInit = {}, given = context()) =>
  serve(new Request(`http://localhost:3000${path}`, init), given)

'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/client/call/call.ts'
import { putAnswer } from '../../lib/client/call/put-answer.ts'
import { keys } from '../../lib/client/call/queries.ts'

/** Runs the canary of every table, and shows the report that comes of it. The alarm of each page follows. */
export function useRunCanary() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('runCanary', {}),
    onSuccess: (answer) => {
      putAnswer(client, keys.doctor, answer)
      return client.invalidateQueries({ queryKey: keys.cluster })
    },
  })
}

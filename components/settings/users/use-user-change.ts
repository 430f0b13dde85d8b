'use client'

import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/client/call/call.ts'
import { keys, usersQuery } from '../../../lib/client/call/queries.ts'
import type { User } from '../../../lib/contract/people/user.ts'
import { useElevatedCall } from '../../elevation/use-elevated-call.tsx'
import { withUser } from '../shown-list.ts'

/** A change of a user; the list shows it, so that the dialog has nothing more to say. */
export function useUserChange(user: User, onDone: () => void) {
  const client = useQueryClient()
  return useElevatedCall(
    (body: { role: User['role'] } | { disabled: boolean }) =>
      call('changeUser', { params: { username: user.username }, body }),
    ({ data }) => {
      // A read that is under way would bring back what was before.
      client.cancelQueries({ queryKey: keys.users })
      client.setQueryData(usersQuery.queryKey, (shown) => withUser(shown, data))
      client.invalidateQueries({ queryKey: keys.users })
      client.invalidateQueries({ queryKey: keys.session })
      onDone()
    },
  )
}

'use client'

import { useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/client/call/call.ts'

/** The way out: of this session, or, with `everywhere`, of all that this person has open, this one too. */
export const useSignOut = () =>
  useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) =>
      call('signOut', everywhere ? { query: { everywhere: 'true' } } : {}),
    onSuccess: () => location.assign('/sign-in'),
  })

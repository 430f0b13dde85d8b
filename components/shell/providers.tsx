'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ThemeProvider, type ThemeProviderProps } from 'next-themes'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { type LatePress, replayEarlyPress } from './early/early-press.ts'
import { LatePressNotice } from './early/late-press.tsx'

function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The rhythms of queries.ts are the retries; the browser's own idea of being offline says nothing of loopback.
        retry: false,
        networkMode: 'always',
        refetchIntervalInBackground: false,
        gcTime: 60_000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** `nonce`: what the page's policy lets scripts run by; without one, only those in files of ours run. */
export function Providers({ children, nonce }: { children: ReactNode; nonce: string | undefined }) {
  const [client] = useState(makeClient)
  const [late, setLate] = useState<LatePress | null>(null)
  const forget = useCallback(() => setLate(null), [])
  // After the effects of this whole page, Next's router around it included: it notices no address that changed before.
  useEffect(() => {
    const timer = setTimeout(() => setLate(replayEarlyPress()))
    return () => clearTimeout(timer)
  }, [])
  const theme: ThemeProviderProps = {
    attribute: 'data-theme',
    defaultTheme: 'system',
    enableColorScheme: false,
    storageKey: 'leasehold.theme',
  }
  if (nonce !== undefined) theme.nonce = nonce
  return (
    <ThemeProvider {...theme}>
      <CSPProvider nonce={nonce} disableStyleElements>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
        {late !== null && <LatePressNotice press={late} onClose={forget} />}
      </CSPProvider>
    </ThemeProvider>
  )
}

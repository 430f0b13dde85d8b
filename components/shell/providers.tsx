'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ThemeProvider } from 'next-themes'
import { type ReactNode, useState } from 'react'

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

export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(makeClient)
  return (
    <ThemeProvider
      attribute="data-theme"
      defaultTheme="system"
      enableColorScheme={false}
      storageKey="leasehold.theme"
    >
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </ThemeProvider>
  )
}

import './globals.css'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from '../components/shell/providers.tsx'
import { nonceHeader } from '../lib/console/http/security-headers.ts'

export const metadata: Metadata = {
  title: { default: 'Leasehold', template: '%s · Leasehold' },
  description: 'Who holds what right now, for how much longer, and how sure of it we are.',
  robots: { index: false, follow: false },
  icons: { icon: '/icon.svg' },
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: dark)', color: '#131617' },
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
  ],
}

/** Every page depends on who asks: none is ever made beforehand. */
export const dynamic = 'force-dynamic'

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(nonceHeader) ?? undefined
  return (
    // The theme is put on <html> by a script that runs before React.
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  )
}

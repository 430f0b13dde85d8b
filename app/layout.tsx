import './globals.css'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { keepEarlyPress } from '../components/shell/early/early-press.ts'
import { Providers } from '../components/shell/providers.tsx'
import { nonceHeader } from '../lib/console/http/security-headers.ts'
import { consoleContext } from '../lib/console/start/started.ts'

const description = 'Who holds what, for how much longer, and how certain that is.'

/** A preview of a link needs whole addresses: only the running console knows its own. */
export async function generateMetadata(): Promise<Metadata> {
  await headers()
  return {
    metadataBase: consoleContext().config.publicUrl,
    title: { default: 'Leasehold', template: '%s · Leasehold' },
    description,
    robots: { index: false, follow: false },
    manifest: '/manifest.webmanifest',
    icons: {
      icon: [
        { url: '/favicon.ico', sizes: '48x48' },
        { url: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      ],
      apple: '/apple-touch-icon.png',
    },
    openGraph: {
      type: 'website',
      siteName: 'Leasehold',
      title: 'Leasehold',
      description,
      images: [{ url: '/preview.png', width: 1200, height: 630, alt: 'Leasehold' }],
    },
  }
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: dark)', color: '#131617' },
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
  ],
}

/** Every page depends on its visitor: none is rendered ahead of time. */
export const dynamic = 'force-dynamic'

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(nonceHeader) ?? undefined
  return (
    // The theme is put on <html> by a script that runs before React.
    <html lang="en" suppressHydrationWarning>
      <body>
        <script nonce={nonce} suppressHydrationWarning>
          {keepEarlyPress}
        </script>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  )
}

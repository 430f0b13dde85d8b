import type { NextConfig } from 'next'

const config: NextConfig = {
  // The tests build beside a running server, which would not survive its files being replaced.
  distDir: process.env.LEASEHOLD_DIST_DIR ?? '.next',
  // `npm test` checks the types, those of the tests too; a user's start neither waits for that check nor fails when it fails.
  typescript: { ignoreBuildErrors: true },
  // Bundled, the driver's class names are minified and prom-like singletons are doubled; both stay plain packages.
  serverExternalPackages: ['cassandra-driver', '@node-rs/argon2', 'pino', 'prom-client'],
  // Lease names may end in a slash; a redirect would lose it.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  devIndicators: false,
  images: { unoptimized: true },
  turbopack: { root: import.meta.dirname },
}

export default config

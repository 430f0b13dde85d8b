import type { ReactNode } from 'react'

/** Drawn on a grid of 16, with a stroke of 1.5 in the colour of the text. */
const shapes = {
  held: <circle cx="8" cy="8" r="5.25" fill="currentColor" stroke="none" />,
  risk: (
    <>
      <path d="M8 2.5 14.2 13.2H1.8z" />
      <path d="M8 6.6v3" />
      <circle cx="8" cy="11.4" r="0.85" fill="currentColor" stroke="none" />
    </>
  ),
  verifying: <circle cx="8" cy="8" r="5.25" strokeDasharray="2.4 2.4" />,
  gone: <circle cx="8" cy="8" r="5.25" />,
  quarantined: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M6.2 5.6v4.8M9.8 5.6v4.8" />
    </>
  ),
  zombie: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="m6 6 4 4m0-4-4 4" />
    </>
  ),
  partial: (
    <>
      <circle cx="8" cy="8" r="5.25" />
      <path fill="currentColor" stroke="none" d="M8 2.75a5.25 5.25 0 0 0 0 10.5z" />
    </>
  ),
  eternal: (
    <path d="M8 8c-1.2-1.9-2.2-2.8-3.6-2.8a2.8 2.8 0 1 0 0 5.6C5.8 10.8 6.8 9.9 8 8s2.2-2.8 3.6-2.8a2.8 2.8 0 1 1 0 5.6C10.2 10.8 9.2 9.9 8 8z" />
  ),
  flapping: <path d="M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13" />,
  stale: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="m4.2 8.6 4.6-4.6M6 11.6 12 5.6" />
    </>
  ),
  confirmed: <path fill="currentColor" stroke="none" d="M8 1.5 14.5 8 8 14.5 1.5 8z" />,
  scanned: <path d="M8 2.2 13.8 8 8 13.8 2.2 8z" />,
  code: <path d="M5.5 4 1.5 8l4 4M10.5 4l4 4-4 4" />,
  list: <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />,
  columns: <path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />,
  nodes: (
    <>
      <circle cx="8" cy="3.5" r="1.75" />
      <circle cx="3.5" cy="12" r="1.75" />
      <circle cx="12.5" cy="12" r="1.75" />
      <path d="M7.2 5.2 4.3 10.3M8.8 5.2l2.9 5.1M5.4 12h5.2" />
    </>
  ),
  scan: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h6" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  plus: <path d="M8 3v10M3 8h10" />,
  lock: <path d="M3.5 7.2h9v6.3h-9zM5.3 7V5.2a2.7 2.7 0 0 1 5.4 0V7" />,
  copy: <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />,
  check: <path d="m3 8.5 3.2 3.2L13 4.8" />,
  cross: <path d="m4 4 8 8M12 4l-8 8" />,
  info: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 7.4v3.4" />
      <circle cx="8" cy="5.2" r="0.85" fill="currentColor" stroke="none" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 4.6V8l2.2 1.6" />
    </>
  ),
  shield: <path d="M8 1.8 13.2 4v3.6c0 3.2-2.1 5.4-5.2 6.6-3.1-1.2-5.2-3.4-5.2-6.6V4z" />,
  kill: <path d="m4 4 8 8M12 4l-8 8" />,
  ask: <path d="M2.5 3h11v7.5H7L4 13.2v-2.7H2.5zM5.5 6.8h5" />,
  break: (
    <path d="M6.8 4.6 8 3.4a3 3 0 0 1 4.4 4.2l-1.2 1.2M9.2 11.4 8 12.6a3 3 0 0 1-4.4-4.2l1.2-1.2M3 3l10 10" />
  ),
  link: <path d="M6.5 9.5l3-3M7 4.6l1-1a3 3 0 0 1 4.3 4.3l-1 1M9 11.4l-1 1a3 3 0 0 1-4.3-4.3l1-1" />,
  audit: <path d="M3 2.5h10v11H3zM5.5 6h5M5.5 8.5h5M5.5 11h3" />,
  gear: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.4" r="2.6" />
      <path d="M2.8 13.5c.5-2.7 2.5-4.1 5.2-4.1s4.7 1.4 5.2 4.1" />
    </>
  ),
  key: (
    <>
      <circle cx="5" cy="8" r="2.8" />
      <path d="M7.8 8H14v2.6M11.2 8v2" />
    </>
  ),
  arrive: <path d="M6.5 2.5h6v11h-6M2 8h7m-2.5-2.5L9 8l-2.5 2.5" />,
  leave: <path d="M9.5 2.5h-6v11h6M7 8h7m-2.5-2.5L14 8l-2.5 2.5" />,
  right: <path d="m6 4 4 4-4 4" />,
  down: <path d="m4 6 4 4 4-4" />,
  seal: <path d="M8 1.8 13 5v6l-5 3.2L3 11V5zM5.8 8.2l1.6 1.6 3-3.2" />,
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" />,
  play: <path d="M4.5 3v10l8-5z" />,
  wave: <path d="M1.5 8h2l1.5-4 3 8 2-6 1.2 2h3.3" />,
  eye: (
    <>
      <path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z" />
      <circle cx="8" cy="8" r="1.8" />
    </>
  ),
  get: <path d="M8 2.5v7.5m-3-3 3 3 3-3M3 13.5h10" />,
  up: <path d="m4 10 4-4 4 4" />,
  crash: <path d="M9 1.8 3.8 9H8l-1 5.2L12.2 7H8z" />,
  cut: <path d="M1.8 8h3.4M10.8 8h3.4M5.2 5v6M10.8 5v6M7 8h.1M9 8h.1" />,
  lab: <path d="M6 2h4M6.8 2v4.2L2.9 12.6a1 1 0 0 0 .9 1.4h8.4a1 1 0 0 0 .9-1.4L9.2 6.2V2M4.8 10h6.4" />,
  skew: (
    <>
      <circle cx="8" cy="8.6" r="5.2" />
      <path d="M8 5.6v3l-2 1.4M3 2.4 1.6 4M13 2.4 14.4 4" />
    </>
  ),
  hold: <path d="M2 8h6M8 3.5v9M11 3.5v9" />,
  swallow: <path d="M14 8H9.5M6.5 8H6M4 8h-.5M11.5 5.5 14 8l-2.5 2.5M2.5 3.5l3 9" />,
  step: <path d="M4 3v10l7-5zM13 3v10" />,
  screen: <path d="M2 3h12v8H2zM6 13.5h4" />,
  share: (
    <>
      <circle cx="4" cy="8" r="1.7" />
      <circle cx="12" cy="3.8" r="1.7" />
      <circle cx="12" cy="12.2" r="1.7" />
      <path d="m5.5 7.2 5-2.6M5.5 8.8l5 2.6" />
    </>
  ),
  more: (
    <>
      <circle cx="3.5" cy="8" r="1" fill="currentColor" stroke="none" />
      <circle cx="8" cy="8" r="1" fill="currentColor" stroke="none" />
      <circle cx="12.5" cy="8" r="1" fill="currentColor" stroke="none" />
    </>
  ),
  server: <path d="M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.1M5 11h.1" />,
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof shapes

/** Always beside a word that says the same: hidden from assistive technology. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      className={className ? `i ${className}` : 'i'}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[name]}
    </svg>
  )
}

'use client'

import dynamic from 'next/dynamic'
import { endpoints } from '../../lib/contract/endpoints.ts'
import { LoadingReference } from './loading-reference.tsx'

/** It draws in the browser alone: rendered by the server it would bring `style` attributes, which the policy refuses. */
const Operations = dynamic(() => import('./operations.tsx').then(({ Operations }) => Operations), {
  ssr: false,
  loading: LoadingReference,
})

/** The API, to be read and tried. */
export function ReferencePage() {
  return (
    <>
      <div className="head">
        <h1>API reference</h1>
        <span className="push">
          <a className="btn" href={endpoints.getOpenApi.path}>
            OpenAPI document
          </a>
        </span>
      </div>
      <p className="mut mt-3 max-w-[80ch]">
        Requests that you try here are sent as you: a lock acquired here is held, a release releases. The curl
        lines are for programs: put a token of <i>Settings</i>, <i>Tokens</i> in the place of TOKEN. Routes
        for people alone take no token.
      </p>
      <Operations />
    </>
  )
}

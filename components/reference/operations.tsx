'use client'

import { useEffect, useRef, useState } from 'react'
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import { call } from '../../lib/client/call/call.ts'
import { errorWords } from '../../lib/client/call/error-words.ts'
import { LoadingReference } from './loading-reference.tsx'
import './operations.css'

/** Swagger UI, on the document of the server that serves this page. */
export function Operations() {
  const place = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [drawn, setDrawn] = useState(false)
  useEffect(() => {
    const node = document.createElement('div')
    place.current?.append(node)
    let gone = false
    // Its own `onComplete` comes before it has drawn anything.
    const drawing = new MutationObserver(() => {
      if (node.querySelector('.opblock-tag') === null) return
      drawing.disconnect()
      setDrawn(true)
    })
    drawing.observe(node, { childList: true, subtree: true })
    call('getOpenApi', {})
      .then(({ data }) => {
        if (gone) return
        SwaggerUIBundle({
          domNode: node,
          // Under another name than PUBLIC_URL the page may send requests to its own origin alone.
          spec: { ...data, servers: [{ url: location.origin }] },
          deepLinking: true,
          docExpansion: 'list',
          defaultModelsExpandDepth: 0,
          displayRequestDuration: true,
          filter: true,
          // Its default sends the document to a service on the internet.
          validatorUrl: null,
          // The browser sends its cookie by itself; what the curl line needs in its place is a token.
          requestInterceptor: (request) => {
            const isAuthorized = Object.keys(request.headers).some((name) => /^authorization$/i.test(name))
            request.curlOptions = isAuthorized ? [] : ["-H 'Authorization: Bearer TOKEN'"]
            return request
          },
          // Its colours are for a dark ground only.
          syntaxHighlight: false,
        })
      })
      .catch((thrown) => setFailed(errorWords(thrown).title))
    return () => {
      gone = true
      drawing.disconnect()
      node.remove()
    }
  }, [])
  return (
    <>
      {failed === null && !drawn && <LoadingReference />}
      {failed !== null && (
        <p className="text-danger" role="alert">
          The reference could not be loaded. {failed}
        </p>
      )}
      <div ref={place} />
    </>
  )
}

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** Draws the reference into `domNode`. */
  export default function SwaggerUIBundle(options: {
    domNode: HTMLElement
    spec: object
    deepLinking: boolean
    docExpansion: 'list' | 'full' | 'none'
    defaultModelsExpandDepth: number
    displayRequestDuration: boolean
    filter: boolean
    validatorUrl: string | null
    syntaxHighlight: boolean
    requestInterceptor: <R extends { headers: Record<string, string>; curlOptions?: string[] }>(
      request: R,
    ) => R
  }): unknown
}

/** In the place of the operations, until they are drawn: that takes seconds. */
export function LoadingReference() {
  return (
    <p className="mut mt-5" role="status">
      Loading the reference…
    </p>
  )
}

/** The mark of the house: a held corner, and what is left of it. It stands apart from the icons: the page of a failure has none of them. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path fill="currentColor" d="M2 2h4v12h5v4H2z" />
      <path fill="none" stroke="currentColor" strokeWidth="1.25" d="M11.5 14.62h5.9v2.76h-5.9" />
    </svg>
  )
}

import { NameText } from '../../ui/text/name-text.tsx'

/** A longer name scrolls in a box of its own. */
const cappedFrom = 100

/** The lease that a sentence is about, letter for letter and never cut. */
export const LeaseName = ({ name }: { name: string }) => (
  <span className={name.length < cappedFrom ? 'mono wrap-anywhere' : 'mono break-all capped'} title={name}>
    <NameText name={name} />
  </span>
)

import { NameText } from '../../ui/text/name-text.tsx'

/** Longer names are in smaller type, on lines of their own. */
const longFrom = 60

/** The lease that a title or a sentence is about, letter for letter and never cut: names of one program differ at their end. */
export const LeaseName = ({ name }: { name: string }) => (
  <span className={name.length < longFrom ? 'mono wrap-anywhere' : 'mono break-all long-name'} title={name}>
    <NameText name={name} />
  </span>
)

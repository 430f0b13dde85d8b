import { SeenText } from '../../ui/text/seen-text.tsx'

/** An owner, letter for letter and never cut: it is whom the dialog is about. */
export const OwnerText = ({ owner }: { owner: string | null }) => (
  <bdi className="seen mono wrap-anywhere">
    {owner === null ? 'no holder' : owner === '' ? '""' : <SeenText text={owner} />}
  </bdi>
)

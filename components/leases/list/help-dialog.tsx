'use client'

import { PageLink } from '../../shell/page-link.tsx'
import { Dialog, DialogHead } from '../../ui/control/dialog.tsx'

export const shortcuts = [
  [['/'], 'Search in names, owners and values'],
  [['Ctrl K'], 'Find a lease, a page or an action'],
  [['a'], 'The leases that need attention'],
  [['↵', '↓'], 'In the search: go to the first result'],
  [['Esc'], 'In the search: clear it; when it is empty, go to the rows'],
  [['j', 'k'], 'Move down and up'],
  [['↓', '↑'], 'The same, unless a button or link beside the rows has the focus'],
  [['Home', 'End'], 'Among the rows: to the first and the last of all'],
  [
    ['1', '…', '7'],
    'Show or leave out a state: held, at risk, quarantined, zombie, partial, eternal, flapping',
  ],
  [['0'], 'All states'],
  [['p'], 'Pause the list, or go live'],
  [['v'], 'Choose the columns'],
  [['c'], 'Copy the name of the lease'],
  [['Shift C'], 'Copy the link of this view: its filters, order and columns'],
  [['↵'], 'Open the lease'],
  [
    ['r'],
    'Release the lease: ask, break or kill. In the list, in needs attention and on the page of a lease',
  ],
  [['Esc'], 'Leave the row, or close the dialog'],
  [['?'], 'These keys'],
] as const

export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} narrow>
      <DialogHead title="Keys" lead="Outside of the search they do nothing while you type." />
      <div className="body">
        <dl className="shortcuts pb-3">
          {shortcuts.map(([keys, text]) => (
            <div key={text} className="contents">
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p className="mut pb-3">
          A run of the <PageLink href="/lab">election lab</PageLink> has keys of its own, under ? there.
        </p>
        <p className="mut pb-3">
          The console’s own leases (leasehold/…) are listed and counted only where the search or the prefix
          has the word leasehold: <PageLink href="/?q=leasehold">search for leasehold</PageLink>. Those of its
          canary (leasehold/canary/…) only where the prefix begins with leasehold/canary/:{' '}
          <PageLink href="/?prefix=leasehold/canary/">show names that begin with leasehold/canary/</PageLink>.
        </p>
      </div>
    </Dialog>
  )
}

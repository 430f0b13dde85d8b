'use client'

import { Dialog, DialogHead } from '../ui/dialog.tsx'

const shortcuts = [
  [['/'], 'Search by name prefix'],
  [['j', 'k'], 'Move down and up'],
  [['↵'], 'Open the lease'],
  [['r'], 'Release the lease, by force'],
  [['Esc'], 'Leave the search, the row or the dialog'],
  [['?'], 'These keys'],
] as const

export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} narrow>
      <DialogHead title="Keys" lead="They do nothing while you type." />
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
      </div>
    </Dialog>
  )
}

'use client'

import { Dialog, DialogHead } from '../../ui/control/dialog.tsx'
import { controlKeys } from '../controls/control-list.ts'

const keys = [
  ['p', 'Pause the story, or play it'],
  ['.', 'One step of the story'],
  ['1 … 8', 'Go to the controls of a candidate'],
  ['← →', 'Among the controls: to the next'],
  ['j', 'A new candidate joins'],
  ['f', 'Presentation: larger type, no chrome'],
  ['Esc', 'Leave the presentation'],
  ['?', 'These keys'],
] as const

export function RunHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} narrow>
      <DialogHead
        title="Keys of the lab"
        lead="The letters below act on the candidate whose controls have the focus."
      />
      <div className="body">
        <dl className="shortcuts pb-3">
          {[...keys, ...controlKeys].map(([key, text]) => (
            <div key={key} className="contents">
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}

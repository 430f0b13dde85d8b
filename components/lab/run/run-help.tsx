'use client'

import { Dialog, DialogHead } from '../../ui/control/dialog.tsx'
import { controlKeysOf } from '../controls/control-list.ts'

const keys = [
  ['p', 'Pause the story, or play it'],
  ['.', 'One step of the story'],
  ['1 … 8', 'Go to the controls of the first, the second, …'],
  ['← →', 'Among the controls: to the next'],
  ['j', 'Another one joins'],
  ['f', 'Presentation: larger type, no chrome'],
  ['Esc', 'Leave the presentation'],
  ['?', 'These keys'],
] as const

interface RunHelpProps {
  isBakery: boolean
  onClose: () => void
}

export function RunHelp({ isBakery, onClose }: RunHelpProps) {
  const whose = isBakery ? 'customer' : 'candidate'
  return (
    <Dialog open onClose={onClose} narrow>
      <DialogHead
        title="Keys of the lab"
        lead={`The letters below act on the ${whose} whose controls have the focus.`}
      />
      <div className="body">
        <dl className="shortcuts pb-3">
          {[...keys, ...controlKeysOf(whose)].map(([key, text]) => (
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

'use client'

import { countText } from '../../../lib/client/time/time-text.ts'
import type { LiveList } from '../../../lib/client/watch/live-list.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { Age } from '../../ui/text/age.tsx'
import { useOfList } from '../use-page-list.ts'
import { liveWord } from './live-word.ts'

/** Whether the list follows what happens, and who else watches. */
export function LiveFact({ list }: { list: LiveList }) {
  const paused = useOfList(list, (shown) => shown.paused)
  const silence = useOfList(list, (shown) => shown.silence)
  const unanswered = useOfList(list, (shown) => shown.unanswered)
  const isRead = useOfList(list, (shown) => shown.scan !== null) === true
  const viewers = useOfList(list, (shown) => shown.viewers)
  const refused = useOfList(list, (shown) => shown.error)
  const isFinal = useOfList(list, (shown) => shown.isFinal) === true
  const waits = useOfList(list, (shown) => shown.waits) ?? 0
  const word = liveWord({ isSilent: silence !== null, unanswered, isRead, refused, isFinal })
  if (word === null) return null
  return (
    <>
      <span className={paused ? 'behind' : undefined}>
        {paused !== null ? (
          <>
            <Icon name="pause" />
            <b>
              Paused, <Age sinceMs={paused.sinceMs} after=" behind" whole />
            </b>
            <button
              type="button"
              className="btn sm"
              aria-keyshortcuts="p"
              title="Key p"
              onClick={() => list.pause(false)}
            >
              <Icon name="play" />
              Go live, {countText(paused.changes)} {paused.changes === 1 ? 'change' : 'changes'}
            </button>
          </>
        ) : (
          <>
            <Icon name={silence === null && unanswered === null ? 'wave' : 'stale'} />
            <b>{word}</b>
            {waits > 0 && <Waiting changes={waits} onShow={list.letIn} />}
            <button
              type="button"
              className="btn quiet sm"
              aria-keyshortcuts="p"
              title="Key p"
              onClick={() => list.pause(true)}
            >
              <Icon name="pause" />
              Pause
            </button>
          </>
        )}
      </span>
      {viewers !== null && (
        <span className="x-wide">
          <Icon name="eye" />
          <span>
            <b>{countText(viewers)}</b> watching
          </span>
        </span>
      )}
    </>
  )
}

/** The rows keep their places under the pointer and the focus: how many of them come, go or move afterwards. */
function Waiting({ changes, onShow }: { changes: number; onShow: () => void }) {
  return (
    <button
      type="button"
      className="btn quiet sm"
      title="Rows come, go and move when the pointer and the focus leave the list, or by this button"
      onClick={onShow}
    >
      {countText(changes)} {changes === 1 ? 'change waits' : 'changes wait'}
    </button>
  )
}

import { Icon } from '../../ui/control/icon.tsx'
import type { Replay } from './use-replay.ts'

interface ReplayButtonsProps {
  replay: Replay
  /** The end of the run is shown. */
  isAtEnd: boolean
}

/** The page opens at the end of a run: what it is for is to see it happen. */
export function ReplayButtons({ replay, isAtEnd }: ReplayButtonsProps) {
  return (
    <div className="acts mt-2">
      {isAtEnd ? (
        <button type="button" className="btn primary" onClick={replay.fromStart}>
          <Icon name="play" />
          Play from the start
        </button>
      ) : (
        <>
          <button
            type="button"
            className="btn primary"
            onClick={replay.isPlaying ? replay.pause : replay.play}
          >
            <Icon name={replay.isPlaying ? 'pause' : 'play'} />
            {replay.isPlaying ? 'Pause' : 'Play on'}
          </button>
          <button type="button" className="btn" onClick={replay.fromStart}>
            From the start
          </button>
        </>
      )}
    </div>
  )
}

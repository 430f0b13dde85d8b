import { type CSSProperties, memo } from 'react'
import { isSameDrawing, type Shape } from '../../../lib/client/lab/window/lane-shapes.ts'
import { Icon } from '../../ui/control/icon.tsx'

const layers = ['past', 'free', 'ahead'] as const

/** The drawing of a lane. Its sheets are moved by `useSheetMotion`; the row says the same in words. */
export const LaneSheets = memo(Sheets, (a, b) => isSameDrawing(a.shapes, b.shapes))

function Sheets({ shapes }: { shapes: readonly Shape[] }) {
  return (
    <div aria-hidden="true">
      {layers.map((layer) => (
        <div key={layer} className={`layer ${layer}`}>
          <div className="sheet" data-sheet>
            {shapes
              .filter((shape) => shape.layer === layer)
              .map((shape) => (
                <ShapeMark key={shape.key} shape={shape} />
              ))}
          </div>
        </div>
      ))}
      {shapes
        .filter(({ layer }) => layer === 'pinned')
        .map(({ key, look, text }) => (
          <span key={key} className={look}>
            {text}
          </span>
        ))}
    </div>
  )
}

function ShapeMark({ shape: { look, fromX, toX, text } }: { shape: Shape }) {
  const style = toX === null ? { '--x': fromX } : { '--a': fromX, '--b': toX }
  return (
    <i className={`${look} ${toX === null ? 'x' : 'ab'}`} style={style as CSSProperties}>
      {look.startsWith('write') ? <Icon name="kill" /> : text === null ? null : <span>{text}</span>}
    </i>
  )
}

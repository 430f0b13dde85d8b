import { SeenText } from '../../ui/text/seen-text.tsx'
import { jsonDiff, jsonLines } from './json-diff.ts'

/** What there was before the act, and after it; changed lines are marked, as in every comparison of the console. */
export function BeforeAfter({ before, after }: { before: unknown; after: unknown }) {
  if (jsonLines(before).length === 0 && jsonLines(after).length === 0) return null
  const both = jsonLines(before).length > 0 && jsonLines(after).length > 0
  return (
    <table className="compare" data-both={both || undefined}>
      <thead>
        <tr>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {jsonDiff(before, after).map((line, index) => {
          const mark = both && line.changed ? markOf(line.before, line.after) : undefined
          return (
            <tr key={index}>
              <Cell text={line.before} mark={mark} />
              <Cell text={line.after} mark={mark} />
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The classes of the marks, and their words for a screen reader. */
const markWords = { gone: 'only before', new: 'only after', changed: 'changed' } as const
type Mark = keyof typeof markWords

const markOf = (before: string | null, after: string | null): Mark =>
  after === null ? 'gone' : before === null ? 'new' : 'changed'

function Cell({ text, mark }: { text: string | null; mark: Mark | undefined }) {
  if (text === null) return <td />
  return (
    <td className={mark}>
      {mark && <span className="vh">{markWords[mark]}: </span>}
      <bdi className="seen">
        <SeenText text={text} starts={false} />
      </bdi>
    </td>
  )
}

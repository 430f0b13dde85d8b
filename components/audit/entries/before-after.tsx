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
        {jsonDiff(before, after).map((line, index) => (
          <tr key={index}>
            <td className={both && line.after === null ? 'changed' : undefined}>
              {both && line.after === null && <span className="vh">only before: </span>}
              <Line text={line.before} />
            </td>
            <td className={both && line.changed && line.after !== null ? 'changed' : undefined}>
              {both && line.changed && line.after !== null && <span className="vh">changed: </span>}
              <Line text={line.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Line = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <bdi className="seen">
      <SeenText text={text} starts={false} />
    </bdi>
  )

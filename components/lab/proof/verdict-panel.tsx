import type { LabVerdict } from '../../../lib/contract/lab/run.ts'
import { Icon, type IconName } from '../../ui/control/icon.tsx'

type Finding = LabVerdict[number]['finding']

const looks: Record<Finding, { icon: IconName; word: string; state: string }> = {
  kept: { icon: 'check', word: 'kept', state: 'leads' },
  explained: { icon: 'info', word: 'broken, and explained', state: 'risk' },
  broken: { icon: 'risk', word: 'broken', state: 'wrong' },
}

/** So much of what is shown has happened: at its first instant there is nothing to see. */
const shownMs = 1_000

interface VerdictPanelProps {
  verdict: LabVerdict
  /** More may come. */
  isRunning: boolean
  onAt: (atMs: number) => void
}

/** What the checker of the library’s own tests says of the journal. */
export function VerdictPanel({ verdict, isRunning, onAt }: VerdictPanelProps) {
  return (
    <section className="verdict" id="verdict" aria-label="Verdict">
      <div className="head">
        <h2>The verdict</h2>
      </div>
      <p className="small dim">
        On the whole run{isRunning && ' so far'}, whatever time the slider shows. From the journal alone, by
        the checker of the library’s own tests.
      </p>
      {verdict.length === 0 ? (
        <p className="mut">Nothing to judge yet.</p>
      ) : (
        <ul>
          {verdict.map(({ law, finding, sentence, marks }) => {
            const { icon, word, state } = looks[finding]
            const first = marks[0]
            return (
              <li key={law} data-state={state}>
                <span className="state" title={word}>
                  <Icon name={icon} />
                  <span className="vh">{word}: </span>
                </span>
                <span>
                  {sentence}
                  {first !== undefined && finding !== 'kept' && (
                    <>
                      {' '}
                      <button
                        type="button"
                        className="link"
                        onClick={() => onAt(Math.max(1, Math.min(first.toMs, first.fromMs + shownMs)))}
                      >
                        Show it
                      </button>
                    </>
                  )}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

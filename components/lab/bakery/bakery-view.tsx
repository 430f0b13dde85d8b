import type { Customer } from '../../../lib/client/lab/run/bakery-line.ts'
import { Icon } from '../../ui/control/icon.tsx'
import { stepWords } from './step-words.ts'

/** The line of the bakery, and each customer’s place in the algorithm. */
export function BakeryView({ line }: { line: readonly Customer[] }) {
  return (
    <section className="bakery" aria-label="The bakery">
      <div className="head">
        <h2>The bakery</h2>
        <p className="mut">In the order of serving: by number, then by id.</p>
      </div>
      <ol className="line">
        {line.map((customer) => (
          <CustomerCard key={customer.id} customer={customer} />
        ))}
      </ol>
    </section>
  )
}

function CustomerCard({ customer }: { customer: Customer }) {
  const { id, step, choosing, number, isServed, gone } = customer
  return (
    <li data-served={isServed || undefined} data-gone={gone ?? undefined}>
      <p className="customer">
        <b className="mono">{id}</b>
        <span className="state">
          <Icon name={isServed ? 'held' : gone === null ? 'gone' : 'cross'} />
          <span>{wordsOf(customer)}</span>
        </span>
        <span className="number" title="Its number, as the register has it">
          {number === null || number === '0' ? '–' : number}
        </span>
      </p>
      <p className="small dim">
        choosing: <b>{choosing ? 'true' : 'false'}</b>
      </p>
      <ol className="ten" aria-label={`The ten steps of ${id}`}>
        {stepWords.map(({ short, why }, index) => (
          <li
            // The steps have no other name: two of them read the same.
            key={`${index}-${short}`}
            aria-current={step === index + 1 && gone === null ? 'step' : undefined}
            title={why}
          >
            {short}
          </li>
        ))}
      </ol>
    </li>
  )
}

function wordsOf({ gone, isServed, choosing, waitsFor, step }: Customer): string {
  if (gone !== null) return gone === 'crashed' ? 'crashed' : 'left'
  if (isServed) return 'inside'
  if (choosing) return 'chooses a number'
  if (waitsFor !== null) return `waits for ${waitsFor}`
  return step === null ? 'has come' : 'in the line'
}

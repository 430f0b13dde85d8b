import type { ReactNode } from 'react'
import type { Customer } from '../../../lib/client/lab/run/bakery-line.ts'
import { Icon, type IconName } from '../../ui/control/icon.tsx'
import { stepWords } from './step-words.ts'

interface BakeryViewProps {
  line: readonly Customer[]
  /** What one can do to a customer; left out: nothing, as for viewers. */
  controls?: ((customer: string) => ReactNode) | undefined
}

/** The line of the bakery, and each customer’s place in the algorithm. */
export function BakeryView({ line, controls }: BakeryViewProps) {
  return (
    <section className="bakery" aria-label="The bakery">
      <div className="head">
        <h2>The bakery</h2>
        <p className="mut">Served by number, then by the id of the visit.</p>
      </div>
      <ol className="line">
        {line.map((customer) => (
          <CustomerCard key={customer.id} customer={customer} controls={controls?.(customer.id)} />
        ))}
      </ol>
    </section>
  )
}

function CustomerCard({ customer, controls }: { customer: Customer; controls: ReactNode }) {
  const { id, step, choosing, number, hasExpired, isServed, gone } = customer
  return (
    <li data-served={(isServed && gone === null) || undefined} data-gone={gone ?? undefined}>
      <p className="customer">
        <b className="mono">{id}</b>
        <span className="state">
          <Icon name={iconOf(customer)} />
          <span>{wordsOf(customer)}</span>
        </span>
        {hasExpired ? (
          <span
            className="number"
            data-expired
            title="Its number stood for one TTL: Cassandra shows it no longer"
          >
            expired
          </span>
        ) : (
          <span className="number" title="Its number, as Cassandra shows it">
            {number ?? '–'}
          </span>
        )}
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
      {controls}
    </li>
  )
}

function iconOf({ gone, stopped, isServed }: Customer): IconName {
  if (gone !== null) return gone === 'crashed' ? 'crash' : 'leave'
  if (stopped !== null) return stopped === 'paused' ? 'pause' : 'cut'
  return isServed ? 'held' : 'gone'
}

function wordsOf(customer: Customer): string {
  const { gone, stopped } = customer
  if (gone !== null) return gone === 'crashed' ? 'crashed' : 'left'
  if (stopped === null) return placeOf(customer)
  return `${stopped === 'paused' ? 'paused' : 'network cut'}, ${placeOf(customer)}`
}

function placeOf({ isServed, choosing, waitsFor, step, hasExpired, isAway }: Customer): string {
  if (hasExpired) return 'has lost its place'
  if (isServed) return 'inside'
  if (choosing) return 'chooses a number'
  if (waitsFor !== null) return `waits for ${waitsFor}`
  if (step !== null) return 'in the line'
  return isAway ? 'outside' : 'has come'
}

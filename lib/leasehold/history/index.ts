export { EventRecorder } from './event-recorder.ts'
export {
  bareEvent,
  dayMs,
  defaultRetentionSeconds,
  type EventGap,
  type EventPlace,
  type EventRange,
  type EventStore,
  eventId,
  exactRenewalsMax,
  type HistoryPlace,
  hourMs,
  type LeaseEvent,
  type LeaseEventKind,
  type LeaseEventSource,
  minuteMs,
  type RenewalMinute,
} from './lease-event.ts'
export { isBeginning, isEnding, mergedEvents, newestFirst } from './merge.ts'
export { type HistoryPage, type HistoryRequest, lastBefore, readHistory } from './read-history.ts'

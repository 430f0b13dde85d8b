export {
  type LeaseHistoryPage,
  type LeaseHistoryRequest,
  leaseHistory,
} from './lease-history.ts'
export { type ListedLease, leasePage } from './lease-list.ts'
export { HttpLeaseStore, type HttpLeaseStoreOptions } from './lease-store.ts'
export { HttpResignRequests } from './resign-requests.ts'
export { HttpSequence, type HttpSequenceOptions } from './sequence.ts'
export { LeaseholdServer, type ServerOptions } from './server.ts'
export { HttpTerms, type HttpTermsOptions } from './terms.ts'
export { HttpTicketStore, type HttpTicketStoreOptions } from './ticket-store.ts'

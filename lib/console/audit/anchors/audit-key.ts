import { parseKey, privateKey } from '../../store/secret.ts'
import { keyIdOf } from '../chain/chain-hash.ts'

export interface AuditKey {
  bytes: Buffer
  /** Each entry names it, so that a wrong key is not mistaken for a changed entry. */
  id: string
}

/**
 * The key of the audit log: the configured one, which several instances must share, else one of 32 bytes in
 * `audit-key` in the data directory, made at first use.
 */
export function auditKey(dataDir: string, configured: string | undefined): AuditKey {
  const bytes = configured === undefined ? privateKey(dataDir, auditKeyFile) : parseKey(configured)
  if (bytes === null)
    throw new Error('LEASEHOLD_AUDIT_KEY is not a key of 32 bytes or more, in base64 or hex.')
  return { bytes, id: keyIdOf(bytes) }
}

export const auditKeyFile = 'audit-key'

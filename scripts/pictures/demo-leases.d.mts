/** Its at-risk lease: see `DemoLeases.begin`. */
export const atRisk: { name: string; owner: string; value: string; ttlSeconds: number }

export class DemoLeases {
  constructor(
    url: string,
    password: string,
    connection: { contactPoints: string[]; keyspace: string; username: string; password: string },
  )
  /** The administrator's cookie. */
  session: string
  begin(): Promise<void>
  end(): Promise<void>
}

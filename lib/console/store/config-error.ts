/** A wrong configuration: one sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

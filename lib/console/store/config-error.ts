/** A configuration that cannot be: one sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

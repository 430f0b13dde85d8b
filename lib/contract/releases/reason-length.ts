/** The most characters of a reason for a forced release, or for its refusal. Apart from the schemas: forms ask it. */
export const reasonMaxLength = 500

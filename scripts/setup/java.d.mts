export function findJava(): Promise<{ java: { path: string } | null }>

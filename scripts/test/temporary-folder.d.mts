export function temporaryFolder(name: string, parent?: string): string
export function removeTemporaryFolders(): void

/** One server-sent event. @param id null: a reader that comes back need not name it @param data JSON, on one line */
export const eventText = (event: string, id: string | null, data: string): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

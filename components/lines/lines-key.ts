/** The key of everything the browser has read of lines: the path of their list. */
export const linesKey = ["/api/lines"];

export function lineKey(id: string): string[] {
  return [...linesKey, id];
}

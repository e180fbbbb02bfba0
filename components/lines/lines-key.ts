/** The root of all query keys about lines: the path of the list. */
export const linesKey = ["/api/lines"];

export function lineKey(id: string): string[] {
  return [...linesKey, id];
}

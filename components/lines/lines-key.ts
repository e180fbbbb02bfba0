/** Under which the browser keeps the account's lines. */
export const linesKey = ["lines"];

export function lineKey(id: string): string[] {
  return [...linesKey, id];
}

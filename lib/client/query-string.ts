/** Builds `?a=1&b=2` from the values that are set; an empty string if none is. */
export function queryString(values: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") query.set(key, String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

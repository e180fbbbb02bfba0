/** The part of a handle that a search looks for: characters other than letters and digits count as formatting. */
export function searchedHandle(text: string): string {
  const isNumber = /^[\d\s+().-]+$/.test(text);
  return isNumber ? text.replaceAll(/\D/g, "") : text.toLowerCase();
}

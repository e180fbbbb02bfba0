/** The part of a handle a reader looks for: what is no letter is taken for a number's formatting. */
export function searchedHandle(text: string): string {
  const isNumber = /^[\d\s+().-]+$/.test(text);
  return isNumber ? text.replaceAll(/\D/g, "") : text.toLowerCase();
}

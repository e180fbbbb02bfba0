const NUMBER = /^\+[\d\s().-]{7,}$/;
const EMAIL = /^\S+@\S+\.\S+$/;

/** The search text as a handle in API format; null while it is only part of one. */
export function parseFullHandle(search: string): string | null {
  const text = search.trim();
  if (NUMBER.test(text)) return text.replaceAll(/[^+\d]/g, "");
  return EMAIL.test(text) ? text.toLowerCase() : null;
}

const NUMBER = /^\+[\d\s().-]{7,}$/;
const EMAIL = /^\S+@\S+\.\S+$/;

/** The handle that was typed, as the API takes it; null while it is a part of one. */
export function wholeHandle(search: string): string | null {
  const text = search.trim();
  if (NUMBER.test(text)) return text.replaceAll(/[^+\d]/g, "");
  return EMAIL.test(text) ? text.toLowerCase() : null;
}

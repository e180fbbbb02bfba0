import "server-only";

const WRITTEN_NUMBER = /^\+[\d\s().-]+$/;

/** A handle as it is stored, from the way people write it: numbers without spaces and signs, email in lower case. */
export function writtenHandle(text: string): string {
  const trimmed = text.trim();
  if (WRITTEN_NUMBER.test(trimmed)) return trimmed.replace(/[\s().-]/g, "");
  return trimmed.includes("@") ? trimmed.toLowerCase() : trimmed;
}

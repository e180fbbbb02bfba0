import "server-only";

const WRITTEN_NUMBER = /^\+[\d\s().-]+$/;

/**
 * Normalizes a handle as a person types it: phone numbers without spaces and punctuation, email addresses in lower
 * case.
 */
export function normalizeHandle(text: string): string {
  const trimmed = text.trim();
  if (WRITTEN_NUMBER.test(trimmed)) return trimmed.replace(/[\s().-]/g, "");
  return trimmed.includes("@") ? trimmed.toLowerCase() : trimmed;
}

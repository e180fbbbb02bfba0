import "server-only";

/** A handle to find in texts and JSON, and what replaces it. */
export interface ReplacedHandle {
  handle: string;
  replacement: string;
}

/**
 * A pattern of a handle in any of its spellings: as it is, URL encoded, and a phone number also without its plus. A
 * longer number or address that contains the handle does not match.
 */
export function handlePattern(handle: string): RegExp {
  const phone = /^\+(\d+)$/.exec(handle)?.[1];
  if (phone !== undefined) return new RegExp(`(?:\\+|%2b)?(?<!\\d)${phone}(?!\\d)`, "gi");
  const spellings = [...new Set([handle, encodeURIComponent(handle)])];
  const escaped = spellings.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // The address of another person may end with this one, unless a URL encoded character stands before.
  const begin = "(?:(?<=%[0-9a-f]{2})|(?<![a-z0-9._+-]))";
  return new RegExp(`${begin}(?:${escaped.join("|")})(?![a-z0-9-]|\\.[a-z0-9])`, "gi");
}

/** LIKE patterns, in lower case, of texts that may contain a handle: all that `handlePattern` matches, and some more. */
export function likePatterns(handle: string): string[] {
  const digits = handle.replace(/^\+/, "");
  const spellings = [...new Set([digits, encodeURIComponent(digits)])];
  return spellings.map((text) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`);
}

/** Replaces a handle in a text. */
export function replaceInText(text: string, { handle, replacement }: ReplacedHandle): string {
  return text.replaceAll(handlePattern(handle), replacement);
}

/**
 * Replaces a handle in all texts and keys of a JSON value. A number with its digits becomes 0, and the text of a poll
 * option that the handle created becomes empty.
 */
export function replaceInJson(value: unknown, replaced: ReplacedHandle): unknown {
  if (typeof value === "string") return replaceInText(value, replaced);
  if (typeof value === "number") return `+${value}` === replaced.handle ? 0 : value;
  if (Array.isArray(value)) return value.map((item) => replaceInJson(item, replaced));
  if (typeof value !== "object" || value === null) return value;
  const own = isOf(Reflect.get(value, "creator_handle"), replaced.handle);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      replaceInText(key, replaced),
      own && key === "text" ? "" : replaceInJson(item, replaced),
    ]),
  );
}

/** The fields of event data that name who caused the event. */
const ACTORS = [
  "sender_handle",
  "from_handle",
  "actor_handle",
  "participant",
  "shared_by",
  "handle",
] as const;

/** Whether the data of an event say that the handle caused the event, so that all of it is the person's. */
export function isCausedBy(data: unknown, handle: string): boolean {
  if (typeof data !== "object" || data === null) return false;
  return ACTORS.some((field) => isOf(Reflect.get(data, field), handle));
}

function isOf(party: unknown, handle: string): boolean {
  if (typeof party === "string") return party === handle;
  return typeof party === "object" && party !== null && Reflect.get(party, "handle") === handle;
}

import "server-only";

/** Values of a logged request that its bodies usually repeat. */
export interface KnownValues {
  chatId: string | null;
  messageId: string | null;
  traceId: string;
  line: string | null;
}

/** The value of `api_requests.body_form` for bodies from `compactBody`. null = the bodies are stored as they were. */
export const COMPACT = 1;

// A compact body contains a control character for each of these texts and for each known value. Append only: stored
// bodies depend on the order and the texts. A text that the API no longer uses costs nothing.
const TEXTS = [
  '{"chat_id":"',
  '","message":{"id":"',
  '","created_at":"',
  '","delivery_status":"pending","is_read":false,"parts":[',
  '{"type":"text","value":"',
  '","text_decorations":null,"inline_stickers":null,"mentions":null,"mention":null,"mention_range":null,"reactions":null}',
  '],"sent_at":null,"delivered_at":null,"effect":null,"from_handle":{"id":"',
  '","handle":"',
  '","joined_at":"',
  '","service":"iMessage","is_me":true,"left_at":null,"status":"active","line_type":"iMessage"}',
  ',"preferred_service":null,"reply_to":null,"service":null}',
  '{"message":{"parts":[',
  '],"idempotency_key":"',
  '","service":"iMessage","is_me":false,"left_at":null,"status":"active","line_type":"iMessage"}',
  '","updated_at":"',
  ',"is_from_me":true,"is_delivered":',
  ',"is_from_me":false,"is_delivered":',
  ',"delivered_at":',
  ',"sent_at":',
  ',"read_at":',
  '","trace_id":"',
  ',"next_cursor":',
  '","delivery_status":"',
  '","is_group":false,',
] as const;

// The control characters that no JSON text contains: the first four stand for the known values, the others for TEXTS.
const CODES = Array.from({ length: 0x1f }, (_, index) => String.fromCharCode(index + 1)).filter(
  (code) => !/\s/.test(code) || code === "\u000b" || code === "\u000c",
);
const KNOWN_CODES = 4;
const CODE = new RegExp(`[${CODES.join("")}]`, "g");

const codeOfText: ReadonlyMap<string, string> = new Map(
  TEXTS.map((text, index) => [text, CODES[KNOWN_CODES + index] ?? ""]),
);
// The longest text first, because the first alternative that matches is used.
const TEXT = new RegExp(
  TEXTS.toSorted((a, b) => b.length - a.length)
    .map((text) => text.replaceAll(/[[\]{}]/g, "\\$&"))
    .join("|"),
  "g",
);

/** Whether `compactBody` can shorten a body: it contains none of the characters that a compact body uses. */
export function isCompactable(body: string): boolean {
  return body.search(CODE) === -1;
}

/**
 * Shortens a compactable body: each of TEXTS, and each value that the row has in another column, becomes one character.
 * `expandBody` with the same values returns the body.
 */
export function compactBody(body: string, values: KnownValues): string {
  const shorter = listed(values).reduce<string>(
    (text, value, index) => (value === null ? text : text.replaceAll(value, CODES[index] ?? "")),
    body,
  );
  return shorter.replaceAll(TEXT, (text) => codeOfText.get(text) ?? text);
}

/** The body that `compactBody` shortened. */
export function expandBody(stored: string, values: KnownValues): string {
  const texts = [...listed(values), ...TEXTS];
  return stored.replaceAll(CODE, (code) => texts[CODES.indexOf(code)] ?? "");
}

// An empty value would be found everywhere.
function listed({ chatId, messageId, traceId, line }: KnownValues): (string | null)[] {
  return [chatId, messageId, traceId, line].map((value) => value || null);
}

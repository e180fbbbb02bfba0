import "server-only";
import { type DefaultAlphabet, decodeText, encodingOf } from "@/lib/adapters/transports/smpp/decode-text";
import type { Fields } from "@/lib/adapters/transports/smpp/pdu";
import { readUserData } from "@/lib/adapters/transports/smpp/user-data";

/** The types of a deliver_sm (SMPP 3.4, 5.2.12 esm_class): bits 5 to 2. */
const TYPE_MASK = 0x3c;
const RECEIPT = 0x04;
const DELIVERY_ACKNOWLEDGEMENT = 0x08;
const USER_ACKNOWLEDGEMENT = 0x10;
const INTERMEDIATE = 0x20;

/** The contents of a delivery. */
export type DeliveryType =
  /** A receipt or a notification of a carrier, never a message of a person. */
  | "receipt"
  /** A receipt if it is about a message that Trunkline sent, otherwise a message: some carriers set no type. */
  | "unmarked"
  | "message";

/** A receipt of an SMS center. `state` null = not final. */
export interface SmppReceipt {
  /** The IDs that the receipt gives the message, the most reliable first. */
  ids: readonly string[];
  state: "delivered" | "failed" | null;
  /** The state and the carrier's error, for people. */
  reason: string;
}

/** The final states (SMPP 3.4, 5.2.28 message_state, and SMPP 5.0, 4.7.15). */
const STATES: Readonly<Record<number, "delivered" | "failed">> = {
  2: "delivered",
  3: "failed",
  4: "failed",
  5: "failed",
  8: "failed",
  9: "failed",
};
/** The final states in the text of a receipt (SMPP 3.4, appendix B). Some carriers write them out. */
const WRITTEN: readonly (readonly [RegExp, "delivered" | "failed"])[] = [
  [/^deliv/i, "delivered"],
  [/^(undel|expir|delet|reject|fail)/i, "failed"],
];

/** Tells receipts from messages, by the type of the delivery and by its receipt. */
export function deliveryTypeOf({ esm_class = 0 }: Fields, receipt: SmppReceipt | null): DeliveryType {
  const type = esm_class & TYPE_MASK;
  if ((type & RECEIPT) !== 0 || type === INTERMEDIATE || type === DELIVERY_ACKNOWLEDGEMENT) return "receipt";
  if (receipt === null) return "message";
  // A person acknowledges with a text, for example the number of a choice.
  return type === USER_ACKNOWLEDGEMENT ? "receipt" : "unmarked";
}

/** Reads a receipt from its optional parameters and its text. null when it names no message, or no state. */
export function parseReceipt(fields: Fields, alphabet: DefaultAlphabet): SmppReceipt | null {
  const text = receiptText(fields, alphabet);
  const ids = [...new Set([fields.receipted_message_id ?? "", text.id ?? ""])].filter((id) => id !== "");
  const stated = text.stat ?? (fields.message_state === undefined ? null : `state ${fields.message_state}`);
  if (ids.length === 0 || stated === null) return null;
  const isFinal = ((fields.esm_class ?? 0) & TYPE_MASK) !== INTERMEDIATE;
  const state = stateOf(fields.message_state, text.stat);
  const error = text.err ?? networkError(fields);
  const reason = `the carrier reported ${stated}${error === null ? "" : `, error ${error}`}`;
  return { ids, state: isFinal ? state : null, reason };
}

function stateOf(code: number | undefined, written: string | undefined): "delivered" | "failed" | null {
  const coded = code === undefined ? undefined : STATES[code];
  return coded ?? WRITTEN.find(([pattern]) => pattern.test(written ?? ""))?.[1] ?? null;
}

/** SMPP 3.4, 5.3.2.31 network_error_code: an octet with the type of the network, and its code in one to three octets. */
function networkError({ network_error_code }: Fields): string | null {
  const code = network_error_code?.subarray(1, 4);
  return code === undefined || code.length === 0 ? null : String(code.readUIntBE(0, code.length));
}

type Text = Partial<Record<"id" | "stat" | "err", string>>;

/** Most SMS centers send receipts as ASCII, whatever their data_coding says. */
function receiptText(fields: Fields, alphabet: DefaultAlphabet): Text {
  const { octets, shift } = readUserData(fields);
  const ascii = octets.toString("latin1").replace(/^\0+|\0+$/g, "");
  const isAscii = !/[^\P{Cc}\s]/u.test(ascii);
  const text = isAscii ? ascii : decodeText(octets, encodingOf(fields.data_coding ?? 0, alphabet, shift));
  return readText(text.replaceAll("\0", ""));
}

const KEYS = /(?:^|[\s,;|])(id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat|err|text)\s*:/gi;

/** Reads the fields of appendix B, in any order and case. The text comes last and may contain anything. */
function readText(text: string): Text {
  const keys = [...text.matchAll(KEYS)];
  const end = keys.findIndex(([, key]) => key?.toLowerCase() === "text");
  const before = end === -1 ? keys : keys.slice(0, end + 1);
  const found: Record<string, string> = {};
  for (const [index, match] of before.entries()) {
    const name = match[1]?.toLowerCase() ?? "";
    const value = match.input.slice(match.index + match[0].length, before[index + 1]?.index);
    const [word] = value.trim().split(/[\s,;|]/);
    if (word !== undefined && word !== "") found[name] ??= word;
  }
  return found;
}

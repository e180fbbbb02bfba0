import "server-only";
import type { Pdu } from "smpp";

/** The types of a deliver_sm (SMPP 3.4, 5.2.12 esm_class): bits 5 to 2. */
const TYPE_MASK = 0x3c;
const RECEIPT = 0x04;
const INTERMEDIATE = 0x20;

/** A receipt of an SMS center. `state` null = not final. */
export interface SmppReceipt {
  id: string;
  state: "delivered" | "failed" | null;
  /** The state and the carrier's error, for people. */
  reason: string;
}

/** The final states (SMPP 3.4, 5.2.28 message_state), by number and by their text in a receipt (appendix B). */
const STATES: Readonly<Record<string, "delivered" | "failed">> = {
  2: "delivered",
  3: "failed",
  4: "failed",
  5: "failed",
  8: "failed",
  DELIVRD: "delivered",
  EXPIRED: "failed",
  DELETED: "failed",
  UNDELIV: "failed",
  REJECTD: "failed",
};

/** Whether a deliver_sm is a receipt or a notification of a carrier, not a message of a person. */
export function isReceipt({ esm_class = 0 }: Pdu): boolean {
  return (esm_class & RECEIPT) === RECEIPT || (esm_class & TYPE_MASK) === INTERMEDIATE;
}

/** Reads a receipt from its optional parameters, and otherwise from its text. null when it names no message. */
export function parseReceipt(pdu: Pdu, text: string): SmppReceipt | null {
  const id = pdu.receipted_message_id?.replaceAll("\u0000", "") || field(text, "id");
  if (id === null) return null;
  const stated = field(text, "stat");
  const state = pdu.message_state !== undefined ? String(pdu.message_state) : (stated?.toUpperCase() ?? "");
  const isFinal = ((pdu.esm_class ?? 0) & TYPE_MASK) !== INTERMEDIATE;
  const error = field(text, "err");
  const reason = `the carrier reported ${stated ?? `state ${state}`}${error === null ? "" : `, error ${error}`}`;
  return { id, state: isFinal ? (STATES[state] ?? null) : null, reason };
}

function field(text: string, name: string): string | null {
  return new RegExp(`(?:^|\\s)${name}:(\\S+)`, "i").exec(text)?.[1] ?? null;
}

import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";

const MAX_ENTRIES = 20_000;
const RESPONSE_WAITS_MS = [0, 50, 250, 700];

type Notation = Exclude<SmppSettings["message_ids"], "auto">;

/** The references of messages, from the IDs in an SMS center's responses and receipts. */
export interface ReceiptIds {
  /** The reference of a message, from the ID in the response to its submit. */
  ofResponse(id: string): string;
  /** The reference that a receipt is about. Waits up to a second for the response, if the notation is not known yet. */
  ofReceipt(id: string): Promise<string>;
}

/**
 * Some SMS centers give IDs in hexadecimal in responses and in decimal in receipts, or the other way around. With
 * `auto`, the notation follows from the first receipt whose ID matches a recent response in one notation only.
 */
export function createReceiptIds(setting: SmppSettings["message_ids"]): ReceiptIds {
  const recent = new Set<string>();
  let learned: Notation | null = setting === "auto" ? null : setting;

  /** A receipt may arrive before the response to its submit was handled. */
  async function learn(id: string): Promise<void> {
    for (const waitMs of RESPONSE_WAITS_MS) {
      const matching = NOTATIONS.filter((notation) => recent.has(toResponse(id, notation)));
      if (matching.length === 1 && matching[0] !== undefined) learned = matching[0];
      if (learned !== null) return;
      await sleep(waitMs);
    }
  }

  return {
    ofResponse(id) {
      const ref = normalize(id);
      recent.add(ref);
      const [oldest] = recent;
      if (recent.size > MAX_ENTRIES && oldest !== undefined) recent.delete(oldest);
      return ref;
    },
    async ofReceipt(id) {
      if (setting === "auto") await learn(id);
      return toResponse(id, learned ?? "same");
    },
  };
}

const NOTATIONS: readonly Notation[] = ["same", "hex_then_decimal", "decimal_then_hex"];

/** The ID of a receipt in the notation of responses, normalized. */
function toResponse(id: string, notation: Notation): string {
  if (notation === "hex_then_decimal" && /^\d+$/.test(id)) return normalize(BigInt(id).toString(16));
  if (notation === "decimal_then_hex" && /^[0-9a-f]+$/i.test(id)) return BigInt(`0x${id}`).toString();
  return normalize(id);
}

/** SMS centers differ in leading zeros and in the case of hexadecimal digits between responses and receipts. */
function normalize(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, "");
}

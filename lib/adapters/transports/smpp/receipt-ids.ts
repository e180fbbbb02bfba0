import "server-only";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";

const MAX_ENTRIES = 20_000;
const RESPONSE_WAIT_MS = 1000;

type Notation = Exclude<SmppSettings["message_ids"], "auto">;

/** The message that a reference of a bind belongs to. */
interface SentRef {
  lineId: string;
  messageId: string;
}

/** The reference that a receipt is about. */
interface ReportedRef {
  ref: string;
  /** The message, if it was sent over this bind since it was opened. */
  sent: SentRef | null;
  /** The references that the IDs may mean, the most likely first. */
  candidates: readonly string[];
}

/** The references of the messages of a bind, from the IDs in an SMS center's responses and receipts. */
export interface ReceiptIds {
  /** Sends a submit, and notes meanwhile that a receipt may arrive before its response. */
  duringSubmit<Result>(submit: () => Promise<Result>): Promise<Result>;
  /** The reference of a message, from the ID in the response to its submit. An ID that is used again is the new one's. */
  ofResponse(id: string, sent: SentRef): string;
  /**
   * The reference that a receipt is about. Waits at most a second, and only while a response is pending and the notation
   * of IDs is not known.
   */
  ofReceipt(ids: readonly string[]): Promise<ReportedRef>;
}

/**
 * Some SMS centers give IDs in hexadecimal in responses and in decimal in receipts, or the other way around. With
 * `auto`, the notation follows from the first receipt whose ID matches a recent response in one notation only.
 */
export function createReceiptIds(setting: SmppSettings["message_ids"]): ReceiptIds {
  const recent = new Map<string, SentRef>();
  const onResponse = new Set<() => void>();
  let pending = 0;
  let learned: Notation | null = setting === "auto" ? null : setting;

  /** The references that the IDs of a receipt may have, the most likely first. */
  function candidatesOf(ids: readonly string[]): string[] {
    const notations = learned === null ? NOTATIONS : [learned];
    return [...new Set(notations.flatMap((notation) => ids.map((id) => toResponse(id, notation))))];
  }

  function learn(ids: readonly string[]): void {
    if (learned !== null) return;
    const matching = NOTATIONS.filter((notation) => ids.some((id) => recent.has(toResponse(id, notation))));
    const [only] = matching;
    if (only !== undefined && matching.length === 1) learned = only;
  }

  function nextResponse(untilMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        onResponse.delete(end);
        resolve();
      };
      const timer = setTimeout(end, untilMs);
      onResponse.add(end);
    });
  }

  return {
    async duringSubmit(submit) {
      pending++;
      try {
        return await submit();
      } finally {
        pending--;
        for (const wake of onResponse) wake();
      }
    },
    ofResponse(id, sent) {
      const ref = normalize(id);
      recent.delete(ref);
      recent.set(ref, sent);
      const [oldest] = recent.keys();
      if (recent.size > MAX_ENTRIES && oldest !== undefined) recent.delete(oldest);
      return ref;
    },
    async ofReceipt(ids) {
      const deadline = performance.now() + RESPONSE_WAIT_MS;
      for (;;) {
        learn(ids);
        const candidates = candidatesOf(ids);
        const ref = candidates.find((candidate) => recent.has(candidate));
        const leftMs = deadline - performance.now();
        if (ref !== undefined) return { ref, sent: recent.get(ref) ?? null, candidates };
        const isKnown = learned !== null || candidates.length === 1;
        if (isKnown || pending === 0 || leftMs <= 0)
          return { ref: candidates[0] ?? "", sent: null, candidates };
        await nextResponse(leftMs);
      }
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

import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pdu } from "smpp";
import { completeEscapes } from "@/lib/adapters/transports/smpp/gsm-alphabet";

/** The place of a part in a long message. */
export interface PartOf {
  reference: number;
  total: number;
  /** From 1. */
  number: number;
}

/** Returns the place of a PDU in a long message: from its user data header or its sar_ parameters. null = whole. */
export function partOf(pdu: Pdu): PartOf | null {
  const headers = (pdu.short_message?.udh ?? []).concat(pdu.message_payload?.udh ?? []);
  for (const header of headers) {
    // GSM 03.40, 9.2.3.24.1: concatenated short messages with an 8-bit reference, and 9.2.3.24.8 with a 16-bit one.
    if (header[0] === 0x00 && header.length === 5) return valid(header[2], header[3], header[4]);
    if (header[0] === 0x08 && header.length === 6) {
      return valid(0x10000 + header.readUInt16BE(2), header[4], header[5]);
    }
  }
  const { sar_msg_ref_num, sar_total_segments, sar_segment_seqnum } = pdu;
  return valid(
    sar_msg_ref_num === undefined ? undefined : 0x20000 + sar_msg_ref_num,
    sar_total_segments,
    sar_segment_seqnum,
  );
}

function valid(reference?: number, total?: number, number?: number): PartOf | null {
  if (reference === undefined || total === undefined || number === undefined) return null;
  if (total < 2 || number < 1 || number > total) return null;
  return { reference, total, number };
}

interface PartContent {
  text: string;
  ref: string;
}

/** Stores a message under the reference of its first part and returns the command status for its parts. */
type StoreWhole = (message: PartContent) => Promise<number>;

interface Incomplete {
  store: StoreWhole;
  parts: Map<number, PartContent>;
  total: number;
  timer: NodeJS.Timeout;
  /** A part was acknowledged before the message was stored, so the SMS center does not send it again. */
  hasAcknowledged: boolean;
  /** Resolve the parts that wait for the message. */
  waiting: ((status: number) => void)[];
}

export interface Reassembly {
  /**
   * Adds a part. Returns the command status of its response: once the whole message is stored, or after `ackMs`, because
   * some SMS centers send the next part only after the response to the last.
   */
  add(key: string, part: PartOf, content: PartContent, store: StoreWhole): Promise<number>;
  /** Stores the incomplete messages as they are. */
  flush(): Promise<void>;
}

export interface ReassemblyOptions {
  /** How long parts wait for the others. Then the message is stored with the parts that arrived. */
  timeoutMs: number;
  ackMs: number;
  /** The pause before a message whose parts were acknowledged is stored again. */
  retryMs: number;
}

/** The mark of a part that never arrived. */
const MISSING = "[…]";

export function createReassembly({ timeoutMs, ackMs, retryMs }: ReassemblyOptions): Reassembly {
  const incomplete = new Map<string, Incomplete>();
  const storing = new Set<Promise<void>>();
  const stopping = new AbortController();

  function finish(key: string): void {
    const message = incomplete.get(key);
    if (message === undefined) return;
    incomplete.delete(key);
    clearTimeout(message.timer);
    const work = storeWhole(message).finally(() => storing.delete(work));
    storing.add(work);
  }

  async function storeWhole(message: Incomplete): Promise<void> {
    const numbers = Array.from({ length: message.total }, (_, index) => index + 1);
    const texts = numbers.map((number) => message.parts.get(number)?.text ?? MISSING);
    const first =
      numbers.map((number) => message.parts.get(number)?.ref).find((ref) => ref !== undefined) ?? "";
    const whole = { text: completeEscapes(texts.join("")), ref: first };
    let status = await message.store(whole);
    while (status !== 0 && message.hasAcknowledged && !stopping.signal.aborted) {
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      status = await message.store(whole);
    }
    for (const resolve of message.waiting) resolve(status);
  }

  return {
    add(key, { total, number }, content, store) {
      const message = incomplete.get(key) ?? {
        store,
        parts: new Map<number, PartContent>(),
        total,
        timer: setTimeout(() => finish(key), timeoutMs),
        hasAcknowledged: false,
        waiting: [],
      };
      incomplete.set(key, message);
      message.parts.set(number, content);
      return new Promise((resolve) => {
        const early = setTimeout(() => {
          message.hasAcknowledged = true;
          resolve(0);
        }, ackMs);
        message.waiting.push((status) => {
          clearTimeout(early);
          resolve(status);
        });
        if (message.parts.size === message.total) finish(key);
      });
    },
    async flush() {
      for (const key of [...incomplete.keys()]) finish(key);
      stopping.abort();
      await Promise.all(storing);
    },
  };
}

import "server-only";
import { createHash } from "node:crypto";
import type { Pdu } from "smpp";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { createReassembly, partOf } from "@/lib/adapters/transports/smpp/reassemble";
import type { ReceiptIds } from "@/lib/adapters/transports/smpp/receipt-ids";
import { createRedeliveries } from "@/lib/adapters/transports/smpp/redeliveries";
import { isReceipt, parseReceipt } from "@/lib/adapters/transports/smpp/smpp-receipt";
import { now } from "@/lib/platform/clock";
import { log } from "@/lib/platform/log";
import { runSerially } from "@/lib/platform/run-serially";

const OK = 0;
/** The SMS center delivers the message again later (SMPP 3.4, 5.1.3 ESME_RX_T_APPN). */
const LATER = 0x64;
const INVALID_DESTINATION = 0x0b;
const ALPHANUMERIC = 5;
const REASSEMBLY = { timeoutMs: 120_000, ackMs: 2000, retryMs: 5000 };

/** A line that receives over a bind. */
export interface ReceivingLine {
  line: LineRef;
  sourceAddress: string;
  sink: Sink;
}

export interface SmppReceiver {
  /** Stores what a deliver_sm reports and returns the command status of its response. */
  deliver(pdu: Pdu): Promise<number>;
  /** Responses that were just written may not have arrived, so their messages may come again. */
  closed(): void;
  /** Stores incomplete messages. */
  stop(): Promise<void>;
}

/** Receives for the lines of one bind. A message is acknowledged once its event is stored. */
export function createReceiver(lines: ReadonlySet<ReceivingLine>, ids: ReceiptIds): SmppReceiver {
  const redeliveries = createRedeliveries();
  const reassembly = createReassembly(REASSEMBLY);

  async function deliver(pdu: Pdu): Promise<number> {
    const receiving = findLine(lines, pdu);
    if (receiving === null) {
      log.warn({ lines: lines.size }, "an SMPP message for a number of no line was refused");
      return INVALID_DESTINATION;
    }
    return isReceipt(pdu) ? receiveReceipt(receiving, pdu) : receiveText(receiving, pdu);
  }

  async function receiveReceipt(receiving: ReceivingLine, pdu: Pdu): Promise<number> {
    const receipt = parseReceipt(pdu, textOf(pdu) ?? "");
    if (receipt?.state == null) return OK;
    const about = { ref: await ids.ofReceipt(receipt.id), at: now() };
    const event: InEvent =
      receipt.state === "delivered"
        ? { type: "delivered", ...about }
        : { type: "failed", ...about, error: new AdapterError("undeliverable", receipt.reason) };
    return store(receiving, event);
  }

  async function receiveText(receiving: ReceivingLine, pdu: Pdu): Promise<number> {
    const from = numberOf(pdu);
    const text = textOf(pdu);
    if (from === null || text === null) {
      log.info({ lineId: receiving.line.id }, "an SMPP message without a number or a text was ignored");
      return OK;
    }
    const part = partOf(pdu);
    const content = JSON.stringify([receiving.line.id, from, part, text]);
    const delivery = redeliveries.begin(createHash("sha256").update(content).digest("base64"));
    try {
      return await runSerially(`smpp ${receiving.line.id} ${from} ${part?.number ?? ""}`, () => {
        if (part === null) return storeText(receiving, { from, text, ref: delivery.ref });
        const key = `${receiving.line.id}|${from}|${part.reference}-${part.total}`;
        return reassembly.add(key, part, { text, ref: delivery.ref }, (whole) =>
          storeText(receiving, { from, ...whole }),
        );
      });
    } finally {
      delivery.end();
    }
  }

  return { deliver, closed: redeliveries.closed, stop: reassembly.flush };
}

function storeText(
  receiving: ReceivingLine,
  { from, text, ref }: { from: string; text: string; ref: string },
): Promise<number> {
  return store(receiving, {
    type: "message",
    ref,
    groupRef: null,
    from,
    others: [],
    service: "SMS",
    at: now(),
    parts: [{ type: "text", value: text }],
  });
}

async function store({ line, sink }: ReceivingLine, event: InEvent): Promise<number> {
  try {
    await sink.receive(line, [event]);
    return OK;
  } catch (error) {
    log.warn({ err: error, lineId: line.id }, "an SMPP delivery could not be stored and is requested again");
    return LATER;
  }
}

/** The line whose number a PDU is for. With a single line on the bind, every number is its number. */
function findLine(lines: ReadonlySet<ReceivingLine>, { destination_addr = "" }: Pdu): ReceivingLine | null {
  const digits = destination_addr.replace(/^\+|^00/, "");
  const all = [...lines];
  const named = all.find(
    ({ line, sourceAddress }) => line.phoneNumber === `+${digits}` || sourceAddress === destination_addr,
  );
  return named ?? (all.length === 1 ? (all[0] ?? null) : null);
}

/** The sender as an E.164 number; null for a name. */
function numberOf({ source_addr = "", source_addr_ton }: Pdu): string | null {
  const digits = source_addr.replace(/^\+|^00/, "");
  return source_addr_ton !== ALPHANUMERIC && /^[1-9]\d{1,14}$/.test(digits) ? `+${digits}` : null;
}

/** The text of a PDU; null for data that is not text. */
function textOf({ short_message, message_payload }: Pdu): string | null {
  const whole = short_message?.message;
  const text = whole === undefined || whole.length === 0 ? message_payload?.message : whole;
  return typeof text === "string" ? text : null;
}

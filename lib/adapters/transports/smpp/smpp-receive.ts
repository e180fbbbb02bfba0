import "server-only";
import { createHash } from "node:crypto";
import type { CountryCode } from "libphonenumber-js/max";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Sink } from "@/lib/adapters/transports/sink";
import { STATUS } from "@/lib/adapters/transports/smpp/command-status";
import { decodeText, encodingOf } from "@/lib/adapters/transports/smpp/decode-text";
import { findSentRef } from "@/lib/adapters/transports/smpp/find-sent-ref";
import { readClosedSets, storePart } from "@/lib/adapters/transports/smpp/part-sets";
import type { Fields, Pdu } from "@/lib/adapters/transports/smpp/pdu";
import type { ReceiptIds } from "@/lib/adapters/transports/smpp/receipt-ids";
import { createRedeliveries } from "@/lib/adapters/transports/smpp/redeliveries";
import { senderOf } from "@/lib/adapters/transports/smpp/sender-of";
import { deliveryTypeOf, parseReceipt, type SmppReceipt } from "@/lib/adapters/transports/smpp/smpp-receipt";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";
import { storeClosedSet, textMessage } from "@/lib/adapters/transports/smpp/store-closed-sets";
import { readUserData } from "@/lib/adapters/transports/smpp/user-data";
import { runSerially } from "@/lib/platform/tasks/run-serially";
import { log } from "@/lib/platform/telemetry/log";
import { normalizeSender } from "@/lib/platform/text/phone-handle";
import { now } from "@/lib/platform/time/clock";

/** A line that receives over a bind. */
export interface ReceivingLine {
  line: LineRef;
  sourceAddress: string;
  /** The country of numbers without a country code; null = none is known. */
  country: CountryCode | null;
  sink: Sink;
}

/** The message of a receipt. `receiving` null = no line of the bind is known to have sent it. */
interface Reported {
  ref: string;
  messageId?: string;
  receiving: ReceivingLine | null;
}

/** Receives for the lines of one bind. A message is acknowledged once its event, or its part, is stored. */
export class SmppReceiver {
  readonly #settings: SmppSettings;
  readonly #lines: ReadonlySet<ReceivingLine>;
  readonly #ids: ReceiptIds;
  readonly #redeliveries = createRedeliveries();

  constructor(settings: SmppSettings, lines: ReadonlySet<ReceivingLine>, ids: ReceiptIds) {
    this.#settings = settings;
    this.#lines = lines;
    this.#ids = ids;
  }

  /** Stores what a deliver_sm or data_sm reports and returns the command status of its response. */
  async deliver({ fields, unreadable }: Pdu): Promise<number> {
    if (unreadable !== undefined) return this.#setAside(fields, unreadable);
    const receipt = parseReceipt(fields, this.#settings.default_alphabet);
    const type = deliveryTypeOf(fields, receipt);
    if (type === "receipt") return this.#receiveReceipt(fields, receipt);
    if (type === "unmarked" && receipt !== null) {
      const reported = await this.#findReported(receipt);
      if (reported.receiving !== null) return this.#storeReceipt(reported.receiving, reported, receipt);
    }
    const receiving = findLine(this.#lines, fields);
    if (receiving !== null) return this.#receiveText(receiving, fields);
    return this.#refuse();
  }

  /** Responses that were just written may not have arrived, so their messages may come again. */
  closed(): void {
    this.#redeliveries.closed();
  }

  /** The SMS center would deliver the same bytes again, and hold back what follows. */
  async #setAside(fields: Fields, frame: Buffer): Promise<number> {
    const [first = null] = this.#lines;
    const receiving = findLine(this.#lines, fields) ?? first;
    if (receiving === null) return STATUS.temporaryError;
    log.warn(
      { lineId: receiving.line.id, bytes: frame.length },
      "an SMPP message can't be read and is set aside",
    );
    const reason = "A message of the SMS center ends too early.";
    const payload = `${fields.source_addr ?? ""} ${frame.toString("hex")}`;
    return store(receiving, { type: "unreadable", reason, payload });
  }

  async #refuse(): Promise<number> {
    log.warn({ lines: this.#lines.size }, "an SMPP message for a number of no line was refused");
    const reason = "A message to a number of no line on this connection was refused.";
    await Promise.all([...this.#lines].map((receiving) => store(receiving, { type: "refused", reason })));
    return STATUS.invalidDestination;
  }

  async #receiveReceipt(fields: Fields, receipt: SmppReceipt | null): Promise<number> {
    if (receipt === null)
      log.info({ lines: this.#lines.size }, "an SMPP receipt that names no message was ignored");
    if (receipt?.state == null) return STATUS.ok;
    const reported = await this.#findReported(receipt);
    const receiving = reported.receiving ?? findLine(this.#lines, fields);
    return receiving === null ? STATUS.ok : this.#storeReceipt(receiving, reported, receipt);
  }

  /** The destination of a receipt does not tell the line that sent the message, because lines can share a sender. */
  async #findReported(receipt: SmppReceipt): Promise<Reported> {
    const { ref, sent, candidates } = await this.#ids.ofReceipt(receipt.ids);
    const all = [...this.#lines];
    if (sent !== null) {
      const receiving = all.find(({ line }) => line.id === sent.lineId) ?? null;
      return { ref, messageId: sent.messageId, receiving };
    }
    const found = await findSentRef(
      all.map(({ line }) => line),
      candidates,
    );
    const receiving = all.find(({ line }) => line.id === found?.lineId) ?? null;
    return { ref: found?.ref ?? ref, receiving };
  }

  async #storeReceipt(
    receiving: ReceivingLine,
    { ref, messageId }: Reported,
    receipt: SmppReceipt,
  ): Promise<number> {
    if (receipt.state === null) return STATUS.ok;
    const about = { ref, ...(messageId !== undefined && { messageId }), at: now() };
    const event: InEvent =
      receipt.state === "delivered"
        ? { type: "delivered", ...about }
        : { type: "failed", ...about, error: new AdapterError("undeliverable", receipt.reason) };
    return store(receiving, event);
  }

  async #receiveText(receiving: ReceivingLine, fields: Fields): Promise<number> {
    const { line } = receiving;
    const from = senderOf(fields, receiving.country);
    const { octets, part, shift } = readUserData(fields);
    const encoding = encodingOf(fields.data_coding ?? 0, this.#settings.default_alphabet, shift);
    return runSerially(`smpp ${line.id} ${from}`, async () => {
      if (part !== null) return receivePart(receiving, { line, from, part, octets, encoding });
      const content = JSON.stringify([line.id, from, encoding, octets.toString("base64")]);
      const delivery = this.#redeliveries.begin(createHash("sha256").update(content).digest("base64"));
      try {
        const text = decodeText(octets, encoding);
        return await store(receiving, textMessage({ from, text, ref: delivery.ref }));
      } finally {
        delivery.end();
      }
    });
  }
}

/** A part that is stored is acknowledged, whatever becomes of its text: that is stored later (store-closed-sets.ts). */
async function receivePart(
  { sink, line }: ReceivingLine,
  part: Parameters<typeof storePart>[0],
): Promise<number> {
  let closed: string[];
  try {
    closed = await storePart(part);
  } catch (error) {
    log.warn({ err: error, lineId: line.id }, "a part of an SMS could not be stored and is requested again");
    return STATUS.temporaryError;
  }
  try {
    for (const set of await readClosedSets(line.accountId, closed)) await storeClosedSet(sink, set);
  } catch (error) {
    log.warn({ err: error, lineId: line.id }, "the text of an SMS in parts could not be stored yet");
  }
  return STATUS.ok;
}

async function store({ line, sink }: ReceivingLine, event: InEvent): Promise<number> {
  try {
    await sink.receive(line, [event]);
    return STATUS.ok;
  } catch (error) {
    log.warn({ err: error, lineId: line.id }, "an SMPP delivery could not be stored and is requested again");
    return STATUS.temporaryError;
  }
}

/** The line whose number a PDU is for. With a single line on the bind, every number is its number. */
function findLine(
  lines: ReadonlySet<ReceivingLine>,
  { destination_addr = "" }: Fields,
): ReceivingLine | null {
  const digits = destination_addr.replace(/^\+|^00/, "");
  const all = [...lines];
  const named =
    all.find(
      ({ line, sourceAddress }) => line.phoneNumber === `+${digits}` || sourceAddress === destination_addr,
    ) ?? all.find(({ line, country }) => normalizeSender(destination_addr, country) === line.phoneNumber);
  return named ?? (all.length === 1 ? (all[0] ?? null) : null);
}

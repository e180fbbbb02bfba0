import "server-only";
import { AdapterError, type AdapterErrorKind } from "@/lib/adapters/adapter-error";
import { createLoggedSends, type LoggedSends } from "@/lib/adapters/transports/logged-sends";
import type { Outbound } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { STATUS, statusName } from "@/lib/adapters/transports/smpp/command-status";
import type { DefaultAlphabet } from "@/lib/adapters/transports/smpp/decode-text";
import type { Fields, Pdu } from "@/lib/adapters/transports/smpp/pdu";
import type { ReceiptIds } from "@/lib/adapters/transports/smpp/receipt-ids";
import { encodeWhole, segmentText, TextTooLong } from "@/lib/adapters/transports/smpp/segment-text";
import type { SmppBind } from "@/lib/adapters/transports/smpp/smpp-bind";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";

const UDH_INDICATOR = 0x40;
/** SMPP 3.4, 5.2.17 registered_delivery: a receipt in the end, or only if the delivery fails. */
const RECEIPT_ALWAYS = 1;
const RECEIPT_ON_FAILURE = 2;
const RETRY_AFTER_MS = 1000;

/** Sends the messages of a line over its bind, part by part. */
export function createSender(
  line: LineRef,
  settings: SmppSettings,
  { bind, ids }: { bind: SmppBind; ids: ReceiptIds },
): LoggedSends {
  const sends = createLoggedSends(line, async (message, { since, refs }, signal) => {
    const sent = { lineId: line.id, messageId: message.id };
    for (const fields of submitsOf(message, line, settings).slice(refs.length)) {
      await ids.duringSubmit(async () => {
        const response = await bind.submit(fields, since, signal);
        requireAccepted(response);
        const id = response.fields.message_id ?? "";
        // Without an ID, no receipt can be about the part.
        refs.push(id === "" ? `none:${message.id}:${refs.length}` : ids.ofResponse(id, sent));
      });
    }
  });
  return { ...sends, send: (message, signal) => sends.send({ ...message, service: "SMS" }, signal) };
}

/** The fields of each submit_sm of a message. Throws AdapterError. */
function submitsOf(message: Outbound, line: LineRef, settings: SmppSettings): Fields[] {
  const [to = ""] = message.to;
  const fields = {
    source_addr: settings.source_address ?? line.phoneNumber.replace(/^\+/, ""),
    source_addr_ton: settings.source_ton,
    source_addr_npi: settings.source_npi,
    destination_addr: to.replace(/^\+/, ""),
    dest_addr_ton: settings.dest_ton,
    dest_addr_npi: settings.dest_npi,
    service_type: settings.service_type,
  };
  const text = textOf(message);
  if (settings.long_messages === "payload") {
    const { dataCoding, bytes } = encodeWhole(text, settings.default_alphabet);
    const whole = { ...fields, data_coding: dataCoding, registered_delivery: RECEIPT_ALWAYS };
    return [{ ...whole, message_payload: bytes }];
  }
  const { dataCoding, parts } = segment(text, settings.default_alphabet);
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    const header = parts.length === 1 ? [] : headerOf(message.id, parts.length, index + 1);
    return {
      ...fields,
      esm_class: parts.length === 1 ? 0 : UDH_INDICATOR,
      data_coding: dataCoding,
      // One receipt per message: that of the last part. The others report only failures.
      registered_delivery: isLast ? RECEIPT_ALWAYS : RECEIPT_ON_FAILURE,
      short_message: Buffer.concat([Buffer.from(header), part]),
    };
  });
}

function textOf({ parts }: Outbound): string {
  return parts.flatMap((part) => (part.type === "text" ? part.value : [])).join("\n");
}

function segment(text: string, alphabet: DefaultAlphabet) {
  try {
    return segmentText(text, alphabet);
  } catch (error) {
    if (error instanceof TextTooLong) throw new AdapterError("rejected", error.message);
    throw error;
  }
}

/** The user data header of a part (GSM 03.40, 9.2.3.24.1). The reference follows from the id, so a repeat has it too. */
function headerOf(messageId: string, total: number, number: number): number[] {
  return [5, 0, 3, Number.parseInt(messageId.slice(-2), 16), total, number];
}

const KINDS: Readonly<Record<number, AdapterErrorKind>> = {
  [STATUS.invalidBindStatus]: "line_down",
  [STATUS.systemError]: "rate_limited",
  [STATUS.throttled]: "rate_limited",
  [STATUS.queueFull]: "rate_limited",
  [STATUS.temporaryError]: "rate_limited",
};

function requireAccepted({ status }: Pdu): void {
  if (status === STATUS.ok) return;
  const kind = KINDS[status] ?? "rejected";
  const reason = `the SMS center refused the message: ${statusName(status)}`;
  throw new AdapterError(kind, reason, kind === "rate_limited" ? RETRY_AFTER_MS : undefined);
}

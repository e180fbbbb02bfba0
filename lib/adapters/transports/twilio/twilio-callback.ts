import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { type Callback, MalformedCallback, type VendorRequest } from "@/lib/adapters/transports/callback";
import type { InEvent, InMedia, InPart } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { openMedia } from "@/lib/adapters/transports/twilio/twilio-api";
import { isOptOut, toTwilioError } from "@/lib/adapters/transports/twilio/twilio-errors";
import type { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";
import { parseForm, requireTwilioSignature } from "@/lib/adapters/transports/twilio/twilio-signature";
import type { ServiceType } from "@/lib/platform/prisma/enums";
import { log } from "@/lib/platform/telemetry/log";
import { countryOf, normalizeSender } from "@/lib/platform/text/phone-handle";
import { now } from "@/lib/platform/time/clock";

const MAX_FILES = 10;
const MAX_SID = 64;

/** An empty response of TwiML: Twilio sends no automatic reply. */
const NO_REPLY = {
  status: 200,
  headers: { "content-type": "text/xml" },
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
};

const Sid = z.string().min(1).max(MAX_SID);

const Status = z.object({
  MessageSid: Sid,
  MessageStatus: z.string(),
  ErrorCode: z.coerce.number().int().optional().catch(undefined),
  From: z.string().default(""),
  To: z.string().default(""),
});

/** An empty value is none: as a number it would be 0. */
const Degrees = z
  .string()
  .trim()
  .min(1)
  .pipe(z.coerce.number<string>().min(-180).max(180))
  .optional()
  .catch(undefined);

const Inbound = z.object({
  MessageSid: Sid,
  From: z.string().min(1),
  To: z.string().default(""),
  Body: z.string().default(""),
  NumMedia: z.coerce.number().int().min(0).catch(0),
  OptOutType: z.string().optional(),
  MessagingServiceSid: z.string().optional(),
  /** A button or a list entry that the person chose, over RCS. */
  ButtonText: z.string().default(""),
  ListTitle: z.string().default(""),
  /** A place that the person sent, over RCS. */
  Latitude: Degrees,
  Longitude: Degrees,
  Label: z.string().default(""),
  Address: z.string().default(""),
});

type Form = Readonly<Record<string, string>>;

/** The statuses of inbound messages. */
const INBOUND: ReadonlySet<string> = new Set(["receiving", "received"]);

/** A line as Twilio knows it. */
interface TwilioLine {
  line: LineRef;
  settings: TwilioSettings;
}

/**
 * Verifies and parses a webhook of Twilio: the status of a sent message, or a message of a person. Throws
 * SignatureRefused and MalformedCallback.
 */
export function parseTwilioCallback(
  line: LineRef,
  settings: TwilioSettings,
  request: VendorRequest,
): Callback {
  requireTwilioSignature(settings.auth_token, request);
  const form: Form = Object.fromEntries(
    [...parseForm(request.body)].map(([name, values]) => [name, values[0] ?? ""]),
  );
  // Older integrations get the names from before MMS.
  const named = { ...form, MessageSid: form.MessageSid ?? form.SmsMessageSid ?? form.SmsSid };
  const status = form.MessageStatus ?? form.SmsStatus;
  const own = { line, settings };
  // A message with a status that Twilio added is still a message.
  const isMessage =
    status === undefined || INBOUND.has(status) || (RECEIPTS[status] === undefined && "Body" in form);
  if (!isMessage) {
    return statusCallback(own, read(Status, { ...named, MessageStatus: status }), request.url);
  }
  const inbound = read(Inbound, named);
  return {
    events: inboundEvents(own, inbound, form),
    reply: NO_REPLY,
    ...aboutOther(own, inbound.To, inbound.MessagingServiceSid),
  };
}

/** The other number that a webhook is about. Addresses that are no number, such as RCS senders, are of the line. */
function aboutOther(
  { line, settings }: TwilioLine,
  address: string,
  serviceSid?: string,
): Pick<Callback, "about"> {
  const number = numberOf(address);
  if (number === null || number === line.phoneNumber || number === settings.fallback_from) return {};
  // The numbers of a Messaging Service are senders of its line, unless they are lines themselves.
  const mayBeOwn = serviceSid !== undefined && serviceSid === settings.messaging_service_sid;
  return { about: { number, mayBeOwn } };
}

/** Twilio's statuses (https://www.twilio.com/docs/messaging/api/message-resource#message-status-values). */
export const RECEIPTS: Readonly<Record<string, "sent" | "delivered" | "read" | "failed" | undefined>> = {
  __proto__: null as never,
  accepted: "sent",
  scheduled: "sent",
  queued: "sent",
  sending: "sent",
  sent: "sent",
  delivered: "delivered",
  partially_delivered: "delivered",
  read: "read",
  undelivered: "failed",
  failed: "failed",
  canceled: "failed",
};

function statusCallback(own: TwilioLine, status: z.infer<typeof Status>, url: string): Callback {
  const messageId = z.uuid().safeParse(new URL(url).searchParams.get("message"));
  const events = statusEvents(status, messageId.success ? messageId.data : null);
  // The URL of a message that the line sent names the message, whichever number of the service sent it.
  if (messageId.success) return { events, reply: null };
  const about = aboutOther(own, status.From).about;
  return { events, reply: null, ...(about !== undefined && { about: { ...about, mayBeOwn: true } }) };
}

function statusEvents(status: z.infer<typeof Status>, messageId: string | null): InEvent[] {
  const { MessageSid, MessageStatus, From, To } = status;
  const type = RECEIPTS[MessageStatus];
  if (type === undefined) {
    log.info({ status: MessageStatus }, "a status of Twilio that is not known was ignored");
    return [];
  }
  const receipt = {
    ref: MessageSid,
    at: now(),
    ...(messageId !== null && { messageId }),
    ...(From !== "" && { service: serviceOf(From) }),
  };
  if (type !== "failed") return [{ type, ...receipt }];
  const { ErrorCode = 0 } = status;
  const failed: InEvent = { type, ...receipt, error: failureOf(ErrorCode, MessageStatus) };
  const from = numberOf(To);
  if (!isOptOut(ErrorCode) || from === null) return [failed];
  return [failed, { type: "opt_out", from, keyword: null, at: now() }];
}

function failureOf(code: number, status: string): AdapterError {
  return toTwilioError(code, { message: `the message is ${status}`, otherwise: "undeliverable" });
}

function inboundEvents(
  { line, settings }: TwilioLine,
  inbound: z.infer<typeof Inbound>,
  form: Form,
): InEvent[] {
  const { MessageSid, From, OptOutType } = inbound;
  const from = normalizeSender(From.replace(/^rcs:/, ""), countryOf(line.phoneNumber));
  if (from === "") throw new MalformedCallback("the message has no sender");
  const text = textOf(inbound);
  const files = filesOf(settings, inbound, form);
  // A message without any content that Trunkline knows is shown as one that came.
  const texts: InPart[] =
    text === "" && files.length > 0 ? [] : [{ type: "text", value: text === "" ? UNREADABLE : text }];
  const message: InEvent = {
    type: "message",
    ref: MessageSid,
    groupRef: null,
    from,
    others: [],
    service: serviceOf(From),
    at: now(),
    isTimeReported: false,
    parts: [...texts, ...files],
  };
  if (OptOutType?.toUpperCase() !== "STOP") return [message];
  return [message, { type: "opt_out", from, keyword: text.trim().slice(0, 20) || null, at: now() }];
}

const UNREADABLE = "[…]";

/** The text that a person wrote, chose, or sent as a place. */
function textOf(inbound: z.infer<typeof Inbound>): string {
  const { Body, ButtonText, ListTitle, Latitude, Longitude, Label, Address } = inbound;
  const written = Body || ButtonText || ListTitle;
  if (Latitude === undefined || Longitude === undefined) return written;
  const map = `https://maps.google.com/?q=${Latitude},${Longitude}`;
  return [written, Label, Address, map].filter((line) => line !== "").join("\n");
}

/** The files that are listed or announced. A file without a usable URL is missing. */
function filesOf(settings: TwilioSettings, { NumMedia }: z.infer<typeof Inbound>, form: Form): InMedia[] {
  const listed = Array.from({ length: MAX_FILES }, (_, index) => index).filter(
    (index) => form[`MediaUrl${index}`] !== undefined || index < NumMedia,
  );
  return listed.map((index) => mediaOf(settings, form, index));
}

function mediaOf(settings: TwilioSettings, form: Form, index: number): InMedia {
  const url = form[`MediaUrl${index}`] ?? "";
  const mimeType = form[`MediaContentType${index}`] || null;
  if (!URL.canParse(url)) {
    const open = () => Promise.reject(new AdapterError("rejected", "Twilio named no URL of the file"));
    return { type: "media", filename: `file-${index + 1}`, mimeType, open };
  }
  const filename = new URL(url).pathname.split("/").at(-1) || `file-${index + 1}`;
  const open = (signal?: AbortSignal) => openMedia(settings, url, signal);
  return { type: "media", filename, mimeType, source: url, open };
}

/** Addresses of RCS begin with `rcs:`. */
function serviceOf(address: string): ServiceType {
  return address.startsWith("rcs:") ? "RCS" : "SMS";
}

/** The number of an address; null for the address of a sender that is no number. */
function numberOf(address: string): string | null {
  const number = address.replace(/^rcs:/, "");
  return /^\+[1-9]\d{1,14}$/.test(number) ? number : null;
}

function read<Schema extends z.ZodType>(schema: Schema, form: unknown): z.infer<Schema> {
  const result = schema.safeParse(form);
  if (!result.success) throw new MalformedCallback("the form is not a webhook of Twilio");
  return result.data;
}

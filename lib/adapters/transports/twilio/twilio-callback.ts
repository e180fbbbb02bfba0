import "server-only";
import { z } from "zod";
import type { AdapterError } from "@/lib/adapters/adapter-error";
import { type Callback, MalformedCallback, type VendorRequest } from "@/lib/adapters/transports/callback";
import type { InEvent, InMedia, InPart } from "@/lib/adapters/transports/inbound";
import { openMedia } from "@/lib/adapters/transports/twilio/twilio-api";
import { isOptOut, toTwilioError } from "@/lib/adapters/transports/twilio/twilio-errors";
import type { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";
import { parseForm, requireTwilioSignature } from "@/lib/adapters/transports/twilio/twilio-signature";
import { now } from "@/lib/platform/clock";
import type { ServiceType } from "@/lib/platform/prisma/enums";

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
  From: z.string().optional(),
  To: z.string().optional(),
});

const Inbound = z.object({
  MessageSid: Sid,
  From: z.string(),
  Body: z.string().default(""),
  NumMedia: z.coerce.number().int().min(0).max(MAX_FILES).catch(0),
  OptOutType: z.string().optional(),
});

/**
 * Verifies and parses a webhook of Twilio: the status of a sent message, or a message of a person. Throws
 * SignatureRefused and MalformedCallback.
 */
export function parseTwilioCallback(settings: TwilioSettings, request: VendorRequest): Callback {
  requireTwilioSignature(settings.auth_token, request);
  const form = Object.fromEntries(
    [...parseForm(request.body)].map(([name, values]) => [name, values[0] ?? ""]),
  );
  if (form.MessageStatus !== undefined && form.MessageStatus !== "received") {
    return { events: statusEvents(read(Status, form), request.url), reply: null };
  }
  return { events: inboundEvents(settings, read(Inbound, form), form), reply: NO_REPLY };
}

/** Twilio's statuses (https://www.twilio.com/docs/messaging/api/message-resource#message-status-values). */
const RECEIPTS: Readonly<Record<string, "sent" | "delivered" | "read" | "failed">> = {
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

function statusEvents(status: z.infer<typeof Status>, url: string): InEvent[] {
  const { MessageSid, MessageStatus, From, To = "" } = status;
  const type = RECEIPTS[MessageStatus];
  if (type === undefined) return [];
  const messageId = z.uuid().safeParse(new URL(url).searchParams.get("message"));
  const receipt = {
    ref: MessageSid,
    at: now(),
    ...(messageId.success && { messageId: messageId.data }),
    ...(From !== undefined && From !== "" && { service: serviceOf(From) }),
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
  settings: TwilioSettings,
  { MessageSid, From, Body, NumMedia, OptOutType }: z.infer<typeof Inbound>,
  form: Readonly<Record<string, string>>,
): InEvent[] {
  const from = numberOf(From);
  if (from === null) return [];
  const files = Array.from({ length: NumMedia }, (_, index) => mediaOf(settings, form, index));
  const texts: InPart[] = Body === "" ? [] : [{ type: "text", value: Body }];
  const parts = [...texts, ...files.flatMap((file) => file ?? [])];
  if (parts.length === 0) return [];
  const message: InEvent = {
    type: "message",
    ref: MessageSid,
    groupRef: null,
    from,
    others: [],
    service: serviceOf(From),
    at: now(),
    parts,
  };
  if (OptOutType?.toUpperCase() !== "STOP") return [message];
  return [message, { type: "opt_out", from, keyword: Body.trim().slice(0, 20) || null, at: now() }];
}

function mediaOf(
  settings: TwilioSettings,
  form: Readonly<Record<string, string>>,
  index: number,
): InMedia | null {
  const url = form[`MediaUrl${index}`];
  if (url === undefined || !URL.canParse(url)) return null;
  const mimeType = form[`MediaContentType${index}`] ?? null;
  const filename = new URL(url).pathname.split("/").at(-1) || `file-${index}`;
  return { type: "media", filename, mimeType, open: () => openMedia(settings, url) };
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

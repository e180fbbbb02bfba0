import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Outbound, OutMedia } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";
import { baseUrl } from "@/lib/platform/env";

/** https://www.twilio.com/docs/messaging/api/message-resource: Body, MediaUrl. */
const MAX_BODY = 1600;
const MAX_FILES = 10;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The forms that create a message: one for each 1,600 characters of text, the files in the first. The message's ID is in
 * the callback URL, so a callback names the message even if the response to the form was lost. Throws AdapterError.
 */
export function toForms(line: LineRef, message: Outbound, settings: TwilioSettings): URLSearchParams[] {
  const files = message.parts.flatMap((part) => (part.type === "media" ? urlOf(part) : []));
  if (files.length > MAX_FILES) throw new AdapterError("rejected", `Twilio takes at most ${MAX_FILES} files`);
  const text = message.parts.flatMap((part) => (part.type === "text" ? part.value : [])).join("\n");
  return divide(text).map((body, index) => {
    const form = new URLSearchParams({ To: message.to[0] ?? "" });
    const { messaging_service_sid, fallback_from, rcs } = settings;
    if (messaging_service_sid === undefined) form.set("From", line.phoneNumber);
    else form.set("MessagingServiceSid", messaging_service_sid);
    if (rcs === "on" && fallback_from !== undefined) form.set("FallbackFrom", fallback_from);
    if (body !== "") form.set("Body", body);
    if (index === 0) for (const url of files) form.append("MediaUrl", url);
    form.set("StatusCallback", `${baseUrl()}/inbound/lines/${line.id}?message=${message.id}`);
    return form;
  });
}

function urlOf(file: OutMedia): string {
  const url = file.url?.() ?? null;
  if (url === null) throw new AdapterError("rejected", `${file.filename} has no URL`);
  return url;
}

/** Divides a text into pieces of at most 1,600 UTF-16 units that do not end within a character. */
function divide(text: string): string[] {
  if (text.length <= MAX_BODY) return [text];
  const pieces = [""];
  for (const { segment } of graphemes.segment(text)) {
    for (const unit of segment.length <= MAX_BODY ? [segment] : [...segment]) {
      const last = pieces.at(-1) ?? "";
      if (last.length + unit.length > MAX_BODY) pieces.push(unit);
      else pieces[pieces.length - 1] = last + unit;
    }
  }
  return pieces;
}

import "server-only";
import { AdapterError, PartlySent } from "@/lib/adapters/adapter-error";
import { askPhone, failureOf } from "@/lib/adapters/transports/android/android-api";
import {
  beginAttempt,
  endAttempt,
  isInFlight,
  noteAccepted,
} from "@/lib/adapters/transports/android/android-attempts";
import { isSameDevice, readDevice } from "@/lib/adapters/transports/android/android-device";
import { AndroidSettings } from "@/lib/adapters/transports/android/android-settings";
import {
  earlierUnitId,
  toPhoneId,
  toUnits,
  type Unit,
} from "@/lib/adapters/transports/android/android-units";
import { connectionOf } from "@/lib/adapters/transports/callback";
import type { Accepted, Outbound, OutMedia, SendOutcome } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { sink } from "@/lib/adapters/transports/sink";

const OUTCOME_MS = 8000;

/**
 * Queues a message on the phone, under the message's id: a repeat is the same message. Throws AdapterError, of kind
 * `unknown_outcome` if the phone may have it.
 */
export async function sendOverPhone(message: Outbound, signal: AbortSignal): Promise<Accepted> {
  beginAttempt(message.id);
  try {
    const sent = await send(message, signal);
    endAttempt(message.id);
    noteAccepted(message.line.id, sent.refs);
    return sent;
  } catch (error) {
    if (error instanceof AdapterError && error.kind !== "unknown_outcome") endAttempt(message.id);
    // Its messages wait until a poll finds the phone again.
    if (error instanceof AdapterError && error.kind === "line_down") await reportDown(message.line, error);
    throw error;
  }
}

async function send(message: Outbound, signal: AbortSignal): Promise<Accepted> {
  const settings = await settingsOf(message.line);
  const units = toUnits(message, settings);
  const refs: string[] = [];
  for (const unit of units) {
    try {
      await queue(settings, { unit, lineId: message.line.id, to: message.to[0] ?? "", signal });
    } catch (error) {
      const isRefused = error instanceof AdapterError && error.kind !== "unknown_outcome";
      if (isRefused && refs.length > 0) throw new PartlySent(error.kind, error.message, error.retryAfterMs);
      throw error;
    }
    refs.push(unit.id);
  }
  return accepted(refs);
}

interface QueuedUnit {
  unit: Unit;
  lineId: string;
  to: string;
  signal: AbortSignal;
}

async function queue(settings: AndroidSettings, { unit, lineId, to, signal }: QueuedUnit): Promise<void> {
  const { text, files } = unit;
  const id = toPhoneId(unit.id, lineId);
  const attachments = await Promise.all(files.map(toAttachment));
  const answer = await askPhone(settings, {
    method: "POST",
    // The phone's own rules know too few numbers, and a number that they refuse fails only later.
    path: "/messages?skipPhoneValidation=true",
    body: {
      id,
      phoneNumbers: [to],
      ...(attachments.length > 0
        ? { mmsMessage: { ...(text !== "" && { text }), attachments } }
        : { textMessage: { text } }),
      ...(settings.sim !== undefined && { simNumber: Number(settings.sim) }),
      ...(settings.device_id !== undefined && { deviceId: settings.device_id }),
      ttl: settings.ttl,
      withDeliveryReport: true,
    },
    signal,
  });
  if (answer.status < 300) return;
  // The phone has the id, unless another rule of its database was broken.
  if (answer.status === 409 && (await hasMessage(settings, id, signal))) return;
  throw failureOf(answer);
}

async function toAttachment({ open, mimeType, filename }: OutMedia) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await open()) chunks.push(chunk);
  return { contentType: mimeType, data: Buffer.concat(chunks).toString("base64"), name: filename };
}

/**
 * Finds out whether the phone has a message. It recognizes a repeat, so a send is repeatable while the phone can't be
 * asked, with its line reported as down, and while a request of it may still arrive. A phone that is another one, or has
 * a new installation, does not know what the earlier one sent.
 */
export async function outcomeOnPhone(line: LineRef, messageId: string): Promise<SendOutcome> {
  const settings = await settingsOf(line);
  const signal = AbortSignal.timeout(OUTCOME_MS);
  try {
    const isComplete = await hasMessage(settings, toPhoneId(messageId, line.id), signal);
    const earlier = await findEarlierUnits(settings, { messageId, lineId: line.id }, signal);
    if (isComplete) return { state: "accepted", accepted: accepted([...earlier, messageId]) };
    if (earlier.length > 0) return { state: "repeatable" };
    if (!isSameDevice(settings, await readDevice(settings, signal))) return { state: "unknown" };
    return { state: isInFlight(messageId) ? "repeatable" : "absent" };
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error;
    await reportDown(line, error);
    return { state: "repeatable" };
  }
}

async function reportDown(line: LineRef, { message }: AdapterError): Promise<void> {
  await sink().receive(line, [{ type: "line", up: false, reason: message }]);
}

async function hasMessage(settings: AndroidSettings, id: string, signal: AbortSignal): Promise<boolean> {
  const answer = await askPhone(settings, { path: `/messages/${id}`, signal });
  if (answer.status === 404) return false;
  if (answer.status >= 300) throw failureOf(answer);
  return true;
}

async function findEarlierUnits(
  settings: AndroidSettings,
  { messageId, lineId }: { messageId: string; lineId: string },
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const id = earlierUnitId(messageId, found.length);
    if (!(await hasMessage(settings, toPhoneId(id, lineId), signal))) return found;
    found.push(id);
  }
}

async function settingsOf(line: LineRef): Promise<AndroidSettings> {
  const settings = AndroidSettings.safeParse(await connectionOf(line));
  if (!settings.success) throw new AdapterError("line_down", "the settings of the line are not complete");
  return settings.data;
}

function accepted(refs: readonly string[]): Accepted {
  return { refs, groupRef: null, service: "SMS" };
}

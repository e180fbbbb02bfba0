import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { type ImsgChat, serviceOf } from "@/lib/adapters/transports/imsg/imsg-chats";
import { writeMacFile } from "@/lib/adapters/transports/imsg/imsg-process";
import type { SendStatus } from "@/lib/adapters/transports/imsg/imsg-receipts";
import { InvalidParams, LaneBlocked, NotStarted } from "@/lib/adapters/transports/imsg/imsg-rpc";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import type { SendProgress } from "@/lib/adapters/transports/logged-sends";
import type { Outbound, OutMedia, OutPart } from "@/lib/adapters/transports/outbound";

/** A method of imsg with its parameters. */
type Call = (method: string, params: Record<string, unknown>) => Promise<unknown>;

/** The imsg of a line and its usable methods. */
export interface ImsgMac {
  call: Call;
  /** Throws AdapterError `line_down` while imsg is not running, because its methods are unknown. */
  isUsable(method: string): boolean;
  settings: ImsgSettings;
  /** The newest direct chat with a person; null when there is none. */
  findDirect(handle: string): Promise<ImsgChat | null>;
  /** The state of a message by its GUID; null when Messages has none. */
  findStatus(guid: string): Promise<SendStatus | null>;
  /** Notes a text that is being sent, by its target. Call the returned function with its GUID once it was sent. */
  noteSend(target: Target, text: string, attemptId?: string): (guid?: string) => void;
}

/** The chat or the recipient of a request. */
type Target = Record<string, string>;

const Sent = z.object({
  guid: z.string().min(1).optional(),
  message_id: z.string().min(1).optional(),
});
const Created = z.object({ chat_guid: z.string().min(1) });

/** Apple's names of the effects. The specification's other names have none. */
const EFFECTS: Readonly<Record<string, string>> = {
  slam: "com.apple.MobileSMS.expressivesend.impact",
  loud: "com.apple.MobileSMS.expressivesend.loud",
  gentle: "com.apple.MobileSMS.expressivesend.gentle",
  invisible: "com.apple.MobileSMS.expressivesend.invisibleink",
  confetti: "com.apple.messages.effect.CKConfettiEffect",
  fireworks: "com.apple.messages.effect.CKFireworksEffect",
  lasers: "com.apple.messages.effect.CKHappyBirthdayEffect",
  sparkles: "com.apple.messages.effect.CKSparklesEffect",
  celebration: "com.apple.messages.effect.CKConfettiEffect",
  hearts: "com.apple.messages.effect.CKHeartEffect",
  love: "com.apple.messages.effect.CKHeartEffect",
  balloons: "com.apple.messages.effect.CKBalloonEffect",
  happy_birthday: "com.apple.messages.effect.CKBalloonEffect",
  echo: "com.apple.messages.effect.CKEchoEffect",
  spotlight: "com.apple.messages.effect.CKSpotlightEffect",
};

/** Messages does not show the question of a poll, and Trunkline's polls have none. */
const POLL_QUESTION = "Poll";

/**
 * Sends the parts of a message after `progress.refs`, each as a message of its own, except that several texts with an
 * effect are one. With the bridge, the first text has the message's own ID. Throws AdapterError.
 */
export async function sendToMac(mac: ImsgMac, message: Outbound, progress: SendProgress): Promise<void> {
  if (message.group !== null && progress.groupRef === null) {
    progress.groupRef = await createChat(mac, message.to);
  }
  const target = await findTarget(mac, message, progress.groupRef);
  if (progress.refs.length === 0 && isMultipart(mac, message)) {
    const ref = await sendTogether(mac, message, target);
    progress.refs.push(ref);
    return;
  }
  for (const [index, part] of [...message.parts.entries()].slice(progress.refs.length)) {
    progress.refs.push(await sendPart(mac, { message, part, index, target }));
  }
}

interface PartToSend {
  message: Outbound;
  part: OutPart;
  index: number;
  target: Target;
}

async function sendPart(mac: ImsgMac, sending: PartToSend): Promise<string> {
  const { message, part, target, index } = sending;
  switch (part.type) {
    case "media":
      return sendFile(mac, sending, part);
    case "poll": {
      const options = part.options.map(({ text }) => text);
      const params = { question: POLL_QUESTION, options, suppress_comment: true };
      return refOf(await callBridge(mac, "poll.send", target, params), sending);
    }
    case "link":
      return sendLink(mac, sending, part.url);
    case "text":
      break;
    default:
      throw new AdapterError("unsupported", `imsg can't send a ${part.type}`);
  }
  const more = richParams(mac, message, index);
  if (more === null) return sendText(mac, sending, part.value);
  const sent = mac.noteSend(target, part.value);
  const ref = refOf(await callBridge(mac, "send.rich", target, { text: part.value, ...more }), sending);
  sent(ref);
  return ref;
}

/** The effect and the reply of the first part; null when it has none, or they can't be sent. */
function richParams(mac: ImsgMac, message: Outbound, index: number): Record<string, unknown> | null {
  const { effect, replyTo, service } = message;
  if (index > 0 || service !== "iMessage" || (effect === null && replyTo === null)) return null;
  if (!mac.isUsable("send.rich")) return null;
  const effectId = effect === null ? undefined : EFFECTS[effect.name];
  return {
    ...(effectId !== undefined && { effect_id: effectId }),
    ...(replyTo !== null && { reply_to: replyTo.ref, part_index: replyTo.part }),
  };
}

/** Several texts with an effect, which is shown for all of them. */
function isMultipart(mac: ImsgMac, { parts, effect, replyTo, service }: Outbound): boolean {
  if (parts.length < 2 || parts.length > 20 || effect === null || replyTo !== null) return false;
  return (
    service === "iMessage" && parts.every(({ type }) => type === "text") && mac.isUsable("send.multipart")
  );
}

async function sendTogether(mac: ImsgMac, message: Outbound, target: Target): Promise<string> {
  const texts = message.parts.flatMap((part) => (part.type === "text" ? part.value : []));
  const effectId = EFFECTS[message.effect?.name ?? ""];
  const params = {
    parts: texts.map((text) => ({ text })),
    ...(effectId !== undefined && { effect_id: effectId }),
  };
  const sent = mac.noteSend(target, texts.join(""));
  const ref = refOf(await callBridge(mac, "send.multipart", target, params), { message, index: 0 });
  sent(ref);
  return ref;
}

async function sendText(mac: ImsgMac, sending: PartToSend, text: string): Promise<string> {
  const { message, target } = sending;
  const attemptId = idOfPart(message.id, sending.index);
  if (message.service === "iMessage" && mac.isUsable("send.tracked")) {
    const sent = mac.noteSend(target, text, attemptId);
    const ref = await sendTracked(mac, target, { text, attempt_id: attemptId });
    if (ref !== null) {
      sent(ref);
      return ref;
    }
  }
  const sent = mac.noteSend(target, text);
  const ref = refOf(await mac.call("send", { ...target, text, ...serviceParams(message, target) }), sending);
  sent(ref);
  return ref;
}

/**
 * Sends a text whose GUID is known before, so that its outcome can be asked. null = it was certainly not sent this way:
 * the bridge takes no text for this chat.
 */
async function sendTracked(
  mac: ImsgMac,
  target: Target,
  params: { text: string; attempt_id: string },
): Promise<string | null> {
  const send = async (to: Target) => {
    const sent = Sent.safeParse(await mac.call("send.tracked", { ...to, ...params })).data;
    return sent?.guid ?? sent?.message_id ?? params.attempt_id;
  };
  try {
    return await send(target);
  } catch (error) {
    if (error instanceof InvalidParams && target.to !== undefined) {
      // The bridge writes to chats that exist, and nothing was written to this person before.
      const guid = await createChat(mac, [target.to]).catch(nullUnlessUnknown);
      return guid === null ? null : send({ chat_guid: guid }).catch(nullIfRefused);
    }
    if (!(error instanceof NotStarted)) throw error;
    // An ID that names a message already is not sent again: an earlier attempt was successful.
    const status = await mac.findStatus(params.attempt_id).catch(() => null);
    if (status === null) throw error;
    return status.guid ?? params.attempt_id;
  }
}

/** A chat that could not be created has changed nothing. */
function nullUnlessUnknown(error: unknown): null {
  if (error instanceof AdapterError && error.kind !== "unknown_outcome" && !(error instanceof LaneBlocked))
    return null;
  throw error;
}

function nullIfRefused(error: unknown): null {
  if (error instanceof InvalidParams || error instanceof NotStarted) return null;
  if (error instanceof AdapterError && error.kind === "unsupported") return null;
  throw error;
}

async function sendFile(mac: ImsgMac, sending: PartToSend, part: OutMedia): Promise<string> {
  const { message, target, index } = sending;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(part.filename)?.[0] ?? "";
  const name = `${idOfPart(message.id, index)}${extension}`;
  const file = await writeMacFile(mac.settings, name, () => part.open());
  const isBridged = message.service === "iMessage";
  if (part.sticker && isBridged && mac.isUsable("send.sticker")) {
    const sent = await callBridge(mac, "send.sticker", target, { file }).catch(undefinedIfInvalid);
    // An image that is too large for a sticker is a file.
    if (sent !== undefined) return refOf(sent, sending);
  }
  // A voice memo needs the bridge. Without it, the recording is a file.
  if (part.voiceMemo === true && isBridged && mac.isUsable("send.attachment")) {
    return refOf(await callBridge(mac, "send.attachment", target, { file, audio: true }), sending);
  }
  const more = richParams(mac, message, index);
  if (more !== null) return refOf(await callBridge(mac, "send.rich", target, { file, ...more }), sending);
  return refOf(await mac.call("send", { ...target, file, ...serviceParams(message, target) }), sending);
}

/** A link as a preview card. Where Messages refuses the card, it is a text. */
async function sendLink(mac: ImsgMac, sending: PartToSend, url: string): Promise<string> {
  if (sending.message.service === "iMessage" && mac.isUsable("send.rich")) {
    const sent = mac.noteSend(sending.target, url);
    const result = await callBridge(mac, "send.rich", sending.target, { url }).catch(undefinedIfInvalid);
    if (result !== undefined) {
      const ref = refOf(result, sending);
      sent(ref);
      return ref;
    }
  }
  return sendText(mac, sending, url);
}

function undefinedIfInvalid(error: unknown): undefined {
  if (!(error instanceof InvalidParams)) throw error;
}

/**
 * Calls a method of the bridge, which needs a chat that exists. A direct chat that does not is created first. Throws
 * AdapterError.
 */
async function callBridge(
  mac: ImsgMac,
  method: string,
  target: Target,
  params: Record<string, unknown>,
): Promise<unknown> {
  try {
    return await mac.call(method, { ...existingChat(target), ...params });
  } catch (error) {
    const person = target.to;
    if (!(error instanceof NotStarted) || person === undefined || !mac.isUsable("chats.create")) throw error;
    return mac.call(method, { chat_guid: await createChat(mac, [person]), ...params });
  }
}

async function createChat(mac: ImsgMac, people: readonly string[]): Promise<string> {
  return Created.parse(await mac.call("chats.create", { addresses: [...people] })).chat_guid;
}

/**
 * The chat or the recipient of a message. An RCS message goes to its chat, because imsg names no such service, and
 * Messages sends it over the service of the chat.
 */
async function findTarget(mac: ImsgMac, message: Outbound, groupRef: string | null): Promise<Target> {
  if (groupRef !== null) return { chat_guid: groupRef };
  const to = message.to[0] ?? "";
  if (message.service !== "RCS") return { to };
  const chat = await mac.findDirect(to);
  return chat !== null && serviceOf(chat, chat.guid) === "RCS" ? { chat_guid: chat.guid } : { to };
}

/** Methods of the bridge take a chat that exists, by its identifier. */
export function existingChat({ to, chat_guid }: Target): Target {
  return chat_guid === undefined ? { chat_identifier: to ?? "" } : { chat_guid };
}

function serviceParams({ service }: Outbound, target: Target): Record<string, unknown> {
  if (target.chat_guid !== undefined) return {};
  return { service: service === "iMessage" ? "imessage" : "sms", allow_sms_fallback: false };
}

/** Without a GUID in the response, the message has a reference of its own and no receipts. */
function refOf(result: unknown, { message, index }: Pick<PartToSend, "message" | "index">): string {
  const sent = Sent.safeParse(result).data;
  return sent?.guid ?? sent?.message_id ?? idOfPart(message.id, index);
}

/** The ID of a part: that of the message for the first, and a UUID derived from it for the others. */
function idOfPart(messageId: string, index: number): string {
  if (index === 0) return messageId;
  const hash = createHash("sha256").update(`${messageId}/${index}`).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

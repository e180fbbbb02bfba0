import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Accepted, Outbound, OutMedia, OutPart } from "@/lib/adapters/transports/outbound";
import { sink } from "@/lib/adapters/transports/sink";
import { type UpstreamApi, upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import {
  cacheDirectChat,
  findDirectChat,
  forgetDirectChat,
  isUuid,
} from "@/lib/adapters/transports/upstream/upstream-chats";
import { toCard, toContent } from "@/lib/adapters/transports/upstream/upstream-content";
import {
  CHAT_NOT_FOUND,
  LINE_RESTRICTED,
  MESSAGE_NOT_FOUND,
  STATE_CONFLICT,
  UpstreamError,
} from "@/lib/adapters/transports/upstream/upstream-errors";
import { beforeSend, uploadFile } from "@/lib/adapters/transports/upstream/upstream-files";
import { upstreamState } from "@/lib/adapters/transports/upstream/upstream-state";
import { ServiceType } from "@/lib/platform/prisma/enums";

const INVALID_PARAMETER = 1005;
/** A card can be replaced once it was delivered, which a receipt has yet to report. */
const NOT_DELIVERED_AGAIN_MS = 1000;

const Service = z.enum(ServiceType).nullish().catch(null);
const Sent = z.object({ id: z.uuid(), service: Service });
const SentInChat = z.object({ chat_id: z.uuid(), message: Sent });
const SentInNewChat = z.object({ chat: z.object({ id: z.uuid(), message: Sent }) });
const SentFromBestLine = SentInChat.extend({ from: z.string() });
const SentMemo = z.object({ voice_memo: z.object({ id: z.uuid(), service: Service }) });
const SentPoll = z.object({ message_id: z.uuid(), chat_id: z.uuid() });
const Lines = z.object({ phone_numbers: z.array(z.object({ phone_number: z.string() })) });

/** An accepted message and its chat in the upstream account. */
interface SentTo {
  id: string;
  chatId: string;
  service?: ServiceType | null | undefined;
}

/**
 * Sends a message through the upstream account, with our message id as its idempotency key. The line is down while the
 * upstream can't be reached or refuses the token. Throws AdapterError.
 */
export async function sendToUpstream(message: Outbound, signal: AbortSignal): Promise<Accepted> {
  const api = await upstreamOf(message.line);
  // The first check finds out what the upstream is, and that the lines form no loop.
  if (api.settings.kind === undefined)
    throw new AdapterError("line_down", "the upstream has not been checked yet");
  const startedAt = Date.now();
  upstreamState().sends.set(message.id, { message, chatId: null, startedAt });
  try {
    const sent = await send(api, message, signal);
    if (message.group === null) cacheDirectChat(api, message.to[0] ?? "", sent.chatId);
    upstreamState().sends.set(message.id, { message, chatId: sent.chatId, startedAt });
    upstreamState().messages.set(sent.id, message.id);
    return {
      refs: [sent.id],
      groupRef: message.group === null ? null : sent.chatId,
      service: sent.service ?? message.service,
    };
  } catch (error) {
    await reportOutage(api, error);
    throw error;
  }
}

/** Reports a line as down when its upstream can't be used, so that its messages wait. */
export async function reportOutage({ line }: UpstreamApi, error: unknown): Promise<void> {
  if (!(error instanceof AdapterError) || error.kind !== "line_down") return;
  const isFlagged = error instanceof UpstreamError && error.code === LINE_RESTRICTED;
  await sink().receive(line, [
    ...(isFlagged ? [{ type: "line_flag" as const, isFlagged: true }] : []),
    { type: "line", up: false, reason: error.message },
  ]);
}

async function send(api: UpstreamApi, message: Outbound, signal: AbortSignal): Promise<SentTo> {
  const [only] = message.parts;
  if (only?.type === "poll") return sendPoll(api, message, only, signal);
  if (only?.type === "media" && only.voiceMemo === true) return sendVoiceMemo(api, message, only, signal);
  if (only?.type === "app_card" && only.replaces !== null && isUuid(only.replaces)) {
    return replaceCard(api, message, only.replaces, only, signal);
  }
  return sendContent(api, message, await toContent(api, message, signal), signal);
}

type Content = Awaited<ReturnType<typeof toContent>>;

async function sendContent(
  api: UpstreamApi,
  message: Outbound,
  content: Content,
  signal: AbortSignal,
): Promise<SentTo> {
  try {
    return await sendToChat(api, message, content, signal);
  } catch (error) {
    // A message from before the line had this upstream can't be replied to.
    if (!isCode(error, MESSAGE_NOT_FOUND) || !("reply_to" in content)) throw error;
    const { reply_to, ...plain } = content;
    return sendToChat(api, message, plain, signal);
  }
}

async function sendToChat(
  api: UpstreamApi,
  message: Outbound,
  content: Content,
  signal: AbortSignal,
): Promise<SentTo> {
  if (message.group !== null && message.group.ref !== null && isUuid(message.group.ref)) {
    const { chat_id, message: sent } = await api.call(`POST /v3/chats/${message.group.ref}/messages`, {
      schema: SentInChat,
      body: { message: content },
      signal,
    });
    return { chatId: chat_id, ...sent };
  }
  try {
    const { chat } = await api.call("POST /v3/chats", {
      schema: SentInNewChat,
      body: { from: api.number, to: message.to, message: content },
      signal,
    });
    return { chatId: chat.id, ...chat.message };
  } catch (error) {
    if (!isCode(error, INVALID_PARAMETER) || message.group !== null) throw error;
    return sendFirstFromBestLine(api, message, content, { signal, refused: error });
  }
}

/**
 * Some upstreams accept no link, effect or reply in the first message of a chat, except where they choose the line.
 * Leaves them only this line to choose. Throws `refused` if the chat is not new.
 */
async function sendFirstFromBestLine(
  api: UpstreamApi,
  message: Outbound,
  content: Content,
  { signal, refused }: { signal: AbortSignal; refused: unknown },
): Promise<SentTo> {
  const to = message.to[0] ?? "";
  if ((await beforeSend(findDirectChat(api, to, signal))) !== null) throw refused;
  const { phone_numbers } = await beforeSend(api.call("GET /v3/phone_numbers", { schema: Lines, signal }));
  const others = phone_numbers.flatMap(({ phone_number }) =>
    phone_number === api.number ? [] : phone_number,
  );
  const sent = await api.call("POST /v3/messages", {
    schema: SentFromBestLine,
    body: { to: [to], message: content, ...(others.length > 0 && { exclude_from: others }) },
    signal,
  });
  if (sent.from !== api.number) {
    throw new AdapterError("undeliverable", `the upstream sent the message from ${sent.from}`);
  }
  return { chatId: sent.chat_id, ...sent.message };
}

async function sendPoll(
  api: UpstreamApi,
  message: Outbound,
  { options }: Extract<OutPart, { type: "poll" }>,
  signal: AbortSignal,
): Promise<SentTo> {
  const poll = { options: options.map(({ text }) => ({ text })), idempotency_key: message.id };
  return inChat(api, message, signal, async (chatId) => {
    const { message_id } = await api.call(`POST /v3/chats/${chatId}/polls`, {
      schema: SentPoll,
      body: { poll },
      signal,
    });
    return { id: message_id, chatId };
  });
}

async function sendVoiceMemo(
  api: UpstreamApi,
  message: Outbound,
  memo: OutMedia,
  signal: AbortSignal,
): Promise<SentTo> {
  const { attachmentId } = await uploadFile(api, memo, signal);
  // A Trunkline accepts the key. The original ignores it.
  const body = { attachment_id: attachmentId, idempotency_key: message.id };
  return inChat(api, message, signal, async (chatId) => {
    const { voice_memo } = await api.call(`POST /v3/chats/${chatId}/voicememo`, {
      schema: SentMemo,
      body,
      signal,
    });
    return { chatId, ...voice_memo };
  });
}

async function replaceCard(
  api: UpstreamApi,
  message: Outbound,
  replaced: string,
  card: Extract<OutPart, { type: "app_card" }>,
  signal: AbortSignal,
): Promise<SentTo> {
  const body = { ...(await toCard(api, card, signal)), idempotency_key: message.id };
  try {
    const { chat_id, message: sent } = await api.call(`POST /v3/messages/${replaced}/update`, {
      schema: SentInChat,
      body,
      signal,
    });
    return { chatId: chat_id, ...sent };
  } catch (error) {
    if (!isCode(error, STATE_CONFLICT) || !(error instanceof Error)) throw error;
    throw new AdapterError("rate_limited", error.message, NOT_DELIVERED_AGAIN_MS);
  }
}

/** Sends into the message's chat, which must exist. A cached chat that is gone is looked for once more. */
async function inChat(
  api: UpstreamApi,
  { to, group }: Outbound,
  signal: AbortSignal,
  work: (chatId: string) => Promise<SentTo>,
): Promise<SentTo> {
  if (group !== null && group.ref !== null) return work(group.ref);
  const handle = to[0] ?? "";
  const find = () => (group === null ? beforeSend(findDirectChat(api, handle, signal)) : null);
  try {
    return await work(await requireChat(find()));
  } catch (error) {
    if (!isCode(error, CHAT_NOT_FOUND)) throw error;
    forgetDirectChat(api, handle);
    return work(await requireChat(find()));
  }
}

async function requireChat(finding: Promise<string | null> | null): Promise<string> {
  const chatId = await finding;
  if (chatId === null) throw new AdapterError("rejected", "the upstream has no chat for this message");
  return chatId;
}

export function isCode(error: unknown, code: number): boolean {
  return error instanceof UpstreamError && error.code === code;
}

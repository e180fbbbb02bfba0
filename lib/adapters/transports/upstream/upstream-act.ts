import "server-only";
import { z } from "zod";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Action, ActionTarget, OutAction, OutReaction } from "@/lib/adapters/transports/actions";
import { type UpstreamApi, upstreamOf } from "@/lib/adapters/transports/upstream/upstream-api";
import { chatOfTarget, isUuid } from "@/lib/adapters/transports/upstream/upstream-chats";
import { uploadFile } from "@/lib/adapters/transports/upstream/upstream-files";
import { addOptions, vote } from "@/lib/adapters/transports/upstream/upstream-polls";
import { reportOutage } from "@/lib/adapters/transports/upstream/upstream-send";
import { upstreamState } from "@/lib/adapters/transports/upstream/upstream-state";

/** Responses whose content does not matter. */
const Any = z.unknown();

const WithReactions = z.object({
  parts: z.array(
    z.object({
      reactions: z
        .array(z.object({ id: z.string().nullish(), is_me: z.boolean(), type: z.string() }))
        .nullish(),
    }),
  ),
});

/** Performs an action through the upstream account. Throws AdapterError. */
export async function actAtUpstream(act: OutAction, signal: AbortSignal): Promise<void> {
  const api = await upstreamOf(act.target.line);
  try {
    await perform({ api, target: act.target, signal }, act.action);
  } catch (error) {
    await reportOutage(api, error);
    throw error;
  }
}

interface Performing {
  api: UpstreamApi;
  target: ActionTarget;
  signal: AbortSignal;
}

async function perform(performing: Performing, action: Action): Promise<void> {
  const { api, target, signal } = performing;
  const inChat = async (what: `${"POST" | "PUT" | "DELETE"} ${string}`, body?: unknown) => {
    const [method, path] = what.split(" ") as ["POST" | "PUT" | "DELETE", string];
    const chatId = await chatOfTarget(api, target, signal);
    await api.call(`${method} /v3/chats/${chatId}${path}`, { schema: Any, body, signal });
  };
  switch (action.type) {
    case "typing":
      return inChat(action.isOn ? "POST /typing" : "DELETE /typing");
    case "read":
      return inChat("POST /read");
    case "leave":
      return inChat("POST /leave");
    case "add_participant":
      return inChat("POST /participants", { handle: action.handle });
    case "remove_participant":
      return inChat("DELETE /participants", { handle: action.handle });
    case "set_name":
      return inChat("PUT ", { display_name: action.name });
    case "set_icon": {
      const { downloadUrl } = await uploadFile(api, action.image, signal);
      return inChat("PUT ", { group_chat_icon: downloadUrl });
    }
    case "set_background": {
      if (action.background === null) return inChat("DELETE /background");
      const { image, ...look } = action.background;
      const image_url = image && (await uploadFile(api, image, signal)).downloadUrl;
      return inChat("POST /background", { ...look, ...(image_url !== undefined && { image_url }) });
    }
    case "share_contact_card":
      return inChat("POST /share_contact_card");
    case "request_location":
      return inChat("POST /location/request");
    case "stop_location":
      return inChat("DELETE /location", { handle: action.handle });
    case "edit": {
      const body = { text: action.text, part_index: action.part };
      await api.call(`PATCH /v3/messages/${idOf(action.ref)}`, { schema: Any, body, signal });
      return;
    }
    case "unsend":
      // An extension of Trunkline. The original has no such path and answers 404.
      for (const ref of action.refs) {
        await api.call(`POST /v3/messages/${idOf(ref)}/unsend`, { schema: Any, signal });
      }
      return;
    case "react":
      return react(performing, action);
    case "move_sticker":
      return moveSticker(performing, action);
    case "add_poll_options":
      return addOptions(api, { messageId: idOf(action.ref), options: action.options }, signal);
    case "vote":
      return vote(api, { ...action, messageId: idOf(action.ref) }, signal);
  }
}

type React = Extract<Action, { type: "react" }>;

async function react({ api, signal }: Performing, action: React): Promise<void> {
  const messageId = idOf(action.ref);
  await api.call(`POST /v3/messages/${messageId}/reactions`, {
    schema: Any,
    body: {
      operation: action.isRemoved ? "remove" : "add",
      part_index: action.part,
      ...(await toReaction(api, action.reaction, signal)),
    },
    signal,
  });
  if (action.reaction.type !== "sticker") return;
  const sticker = await findSticker(api, messageId, signal);
  if (sticker !== null) upstreamState().stickers.set(stickerKey(api, action.reactionId), sticker);
}

async function toReaction(api: UpstreamApi, reaction: OutReaction, signal: AbortSignal): Promise<object> {
  if (reaction.type === "custom") return { type: "custom", custom_emoji: reaction.emoji };
  if (reaction.type !== "sticker") return { type: reaction.type };
  const { image, emoji, placement } = reaction;
  if (image === null) return { type: "sticker", emoji, placement };
  const { attachmentId } = await uploadFile(api, image, signal);
  return { type: "sticker", attachment_id: attachmentId, placement };
}

async function moveSticker(
  { api, signal }: Performing,
  { ref, reactionId, placement }: Extract<Action, { type: "move_sticker" }>,
): Promise<void> {
  const messageId = idOf(ref);
  const known = upstreamState().stickers.get(stickerKey(api, reactionId));
  const sticker = known ?? (await findSticker(api, messageId, signal));
  if (sticker === null) throw new AdapterError("rejected", "the upstream does not know the sticker");
  const what = `PATCH /v3/messages/${messageId}/reactions/${sticker}` as const;
  await api.call(what, { schema: Any, body: { placement }, signal });
}

/** The latest sticker that the line placed on a message. */
async function findSticker(api: UpstreamApi, messageId: string, signal: AbortSignal): Promise<string | null> {
  const { parts } = await api.call(`GET /v3/messages/${messageId}`, { schema: WithReactions, signal });
  const own = parts
    .flatMap(({ reactions }) => reactions ?? [])
    .filter(({ is_me, type }) => is_me && type === "sticker");
  return own.at(-1)?.id ?? null;
}

function stickerKey({ account }: UpstreamApi, reactionId: string): string {
  return `${account} ${reactionId}`;
}

/** The upstream's id of a message. Throws AdapterError `rejected` for a message of the line's earlier transport. */
function idOf(ref: string): string {
  if (!isUuid(ref)) throw new AdapterError("rejected", "the upstream does not have this message");
  return ref;
}

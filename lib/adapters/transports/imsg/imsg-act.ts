import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { Action, OutAction } from "@/lib/adapters/transports/actions";
import { writeMacFile } from "@/lib/adapters/transports/imsg/imsg-process";
import { existingChat, type ImsgMac } from "@/lib/adapters/transports/imsg/imsg-send";

/** Performs an action in a chat of the Mac. Throws AdapterError, `unsupported` without the bridge that it needs. */
export async function actOnMac(mac: ImsgMac, { id, target, action }: OutAction): Promise<void> {
  const ref = target.group?.ref ?? null;
  if (target.group !== null && ref === null)
    throw new AdapterError("rejected", "the group does not exist yet");
  const chat: Record<string, string> = ref === null ? { to: target.to[0] ?? "" } : { chat_guid: ref };
  const bridged = existingChat(chat);
  const requireMethod = (method: string) => {
    if (!mac.isUsable(method))
      throw new AdapterError("unsupported", `imsg can't use ${method}: start its bridge`);
  };
  const call = async (method: string, params: Record<string, unknown>) => {
    requireMethod(method);
    await mac.call(method, params);
  };
  switch (action.type) {
    case "typing":
      return call("typing", { ...chat, typing: action.isOn });
    case "read":
      return call("read", chat);
    case "leave":
      return call("group.leave", bridged);
    case "add_participant":
      return call("group.addParticipant", { ...bridged, address: action.handle });
    case "remove_participant":
      return call("group.removeParticipant", { ...bridged, address: action.handle });
    case "set_name":
      return call("group.rename", { ...bridged, name: action.name ?? "" });
    case "set_icon": {
      requireMethod("group.setIcon");
      const file = await writeMacFile(mac.settings, `${id}.png`, () => action.image.open());
      return call("group.setIcon", { ...bridged, file });
    }
    case "share_contact_card":
      return call("contacts.shareContactCard", bridged);
    case "edit": {
      const about = { message_guid: action.ref, ...(action.part > 0 && { part_index: action.part }) };
      return call("message.edit", { ...bridged, ...about, text: action.text });
    }
    case "unsend":
      return unsendOnMac(call, bridged, action);
    case "react":
      return call(...(await reactionCall(mac, id, action, bridged)));
    case "vote": {
      // The options of a poll that the line sent have IDs of Messages, so their places name them.
      const option = { poll_guid: action.ref, option_index: action.position + 1 };
      return call(action.isRemoved ? "poll.unvote" : "poll.vote", { ...bridged, ...option });
    }
    default:
      throw new AdapterError("unsupported", `imsg has no ${action.type}`);
  }
}

/** Messages unsends part by part. A message that was sent as several has one part each. */
async function unsendOnMac(
  call: (method: string, params: Record<string, unknown>) => Promise<void>,
  chat: Record<string, string>,
  { refs, parts }: Extract<Action, { type: "unsend" }>,
): Promise<void> {
  const partsOfEach = refs.length === 1 ? parts : 1;
  for (const message_guid of refs) {
    for (let part = 0; part < partsOfEach; part++) {
      await call("message.unsend", { ...chat, message_guid, ...(part > 0 && { part_index: part }) });
    }
  }
}

/** The request for a reaction. A sticker is placed in the middle of its part, and can't be taken away. */
async function reactionCall(
  mac: ImsgMac,
  id: string,
  { reaction, isRemoved, ref, part }: Extract<Action, { type: "react" }>,
  chat: Record<string, string>,
): Promise<[method: string, params: Record<string, unknown>]> {
  if (reaction.type !== "sticker") {
    const kind = reaction.type === "custom" ? { emoji: reaction.emoji } : { kind: reaction.type };
    const about = { message_guid: ref, part_index: part };
    return ["tapback", { ...chat, ...about, ...kind, ...(isRemoved && { remove: true }) }];
  }
  const { image } = reaction;
  if (isRemoved || image === null || !mac.isUsable("send.sticker")) {
    throw new AdapterError("unsupported", "imsg places only stickers that are images, and removes none");
  }
  const file = await writeMacFile(mac.settings, `${id}.png`, () => image.open());
  return ["send.sticker", { ...chat, file, attach_to: ref, part_index: part }];
}

import "server-only";
import { AdapterError } from "@/lib/adapters/adapter-error";
import type { OutAction } from "@/lib/adapters/transports/actions";
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
    case "edit":
      return call("message.edit", { ...bridged, message_guid: action.ref, text: action.text });
    case "react": {
      if (action.reaction.type === "sticker")
        throw new AdapterError("unsupported", "imsg has no sticker reactions");
      const { reaction } = action;
      const kind = reaction.type === "custom" ? { emoji: reaction.emoji } : { kind: reaction.type };
      const about = { message_guid: action.ref, part_index: action.part };
      return call("tapback", { ...bridged, ...about, ...kind, ...(action.isRemoved && { remove: true }) });
    }
    default:
      throw new AdapterError("unsupported", `imsg has no ${action.type}`);
  }
}

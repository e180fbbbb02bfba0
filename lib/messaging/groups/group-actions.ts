import "server-only";
import { z } from "zod";
import type { ActionFailure, ActionRequest } from "@/lib/messaging/actions/action-kind";
import type { ClaimedAction } from "@/lib/messaging/actions/claim-actions";
import { changedBy, deferUntilCreated } from "@/lib/messaging/chats/change-by-action";
import { emitChatEvent } from "@/lib/messaging/chats/change-chat";
import { findParty } from "@/lib/messaging/chats/find-party";
import { StoredImage, toOutImage } from "@/lib/messaging/chats/stored-image";
import { changeGroupIcon, renameGroup } from "@/lib/messaging/groups/change-group";
import { GROUP_EVENTS } from "@/lib/messaging/groups/group-events";
import type { Sql } from "@/lib/platform/database/db";
import { ERRORS } from "@/lib/platform/errors/errors";

const NamePayload = z.object({ name: z.string() });
const IconPayload = z.object({ icon: StoredImage });

interface Ended<Payload> {
  action: ClaimedAction;
  payload: Payload;
  at: Date;
}

/** Sets a group's name. */
export const setNameAction = {
  payload: NamePayload,
  buildRequest: (action: ClaimedAction, { name }: z.infer<typeof NamePayload>) =>
    deferUntilCreated(action, { type: "set_name", name }),
  async done(tx: Sql, { action, payload, at }: Ended<z.infer<typeof NamePayload>>) {
    const chat = changedBy(action, at);
    await renameGroup(tx, chat, payload.name, (await findParty(tx, chat)).me);
  },
  failed: (tx: Sql, ended: { action: ClaimedAction; at: Date } & ActionFailure) =>
    emitFailure(tx, "chat.group_name_update_failed", ended),
};

/** Sets a group's icon. */
export const setIconAction = {
  payload: IconPayload,
  async buildRequest(action: ClaimedAction, { icon }: z.infer<typeof IconPayload>): Promise<ActionRequest> {
    const image = await toOutImage(action.account_id, icon);
    if (image === null)
      return { error: "download_failed", reason: "the image was deleted before the icon was set" };
    return deferUntilCreated(action, { type: "set_icon", image });
  },
  async done(tx: Sql, { action, payload, at }: Ended<z.infer<typeof IconPayload>>) {
    const chat = changedBy(action, at);
    await changeGroupIcon(tx, chat, payload.icon, (await findParty(tx, chat)).me);
  },
  failed: (tx: Sql, ended: { action: ClaimedAction; at: Date } & ActionFailure) =>
    emitFailure(tx, "chat.group_icon_update_failed", ended),
};

async function emitFailure(
  tx: Sql,
  type: "chat.group_name_update_failed" | "chat.group_icon_update_failed",
  { action, at, error }: { action: ClaimedAction; at: Date } & ActionFailure,
): Promise<void> {
  await emitChatEvent(tx, changedBy(action, at), GROUP_EVENTS[type], {
    chat_id: action.chat_id,
    // The event supports only these two codes (docs/contract.md, section 12.5).
    error_code: ERRORS[error].code === 3007 ? 3007 : 4001,
    failed_at: at.toISOString(),
  });
}

import { migrateV2Chat } from "@/lib/runtime/v2/migrate-v2-chat";
import { v2Route } from "@/lib/runtime/v2/v2-route";

/** The V3 id of a V2 chat (docs/contract.md, section 16.1). */
export const GET = v2Route(async (ctx, { chatId = "" }) => {
  const v3_chat_id = await migrateV2Chat(ctx, chatId);
  const migrated = v3_chat_id !== null;
  return {
    status: migrated ? 200 : 422,
    body: { data: { v3_chat_id, v2_chat_id: Number(chatId), migrated } },
  };
});

import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { lockChat } from "@/lib/messaging/chats/lock-chat";
import { sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { createTestPhone, writeAs } from "@/lib/testing/factories";

test("a message that is being stored while its chat is marked as read is read, too", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const phone = await createTestPhone(account);
  const { chatId } = await writeAs(account, phone, { to: account.line, text: "first" });
  const secondId = newId(now().getTime());

  const { marking } = await transaction(async (tx) => {
    await lockChat(tx, { accountId: account.ref.id, chatId });
    await tx.runText({
      text: `insert into messages select (jsonb_populate_record(m, jsonb_build_object('id', $3::text, 'position', m.position + 1))).*
             from messages m where account_id = $1 and chat_id = $2`,
      values: [account.ref.id, chatId, secondId],
    });
    await tx.runText({
      text: "update chats set is_unread = true where account_id = $1 and id = $2",
      values: [account.ref.id, chatId],
    });
    const marking = callApi(`POST /v3/chats/${chatId}/read`, { token: account.token });
    await untilLocked();
    return { marking };
  });

  expect((await marking).status).toBe(204);
  const chats = await sql.runText({
    text: "select read_up_to, is_unread from chats where account_id = $1 and id = $2",
    values: [account.ref.id, chatId],
  });
  expect(chats).toEqual([{ read_up_to: secondId, is_unread: false }]);
});

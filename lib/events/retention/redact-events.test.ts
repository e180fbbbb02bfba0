import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import { redactEvents } from "@/lib/events/retention/redact-events";
import { emitEvents } from "@/lib/events/store/emit-event";
import { sql, transaction } from "@/lib/platform/database/db";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { testEvent } from "@/lib/testing/events/test-event";

const MESSAGE = "01a00000-0000-7000-8000-0000000000bb";
const SECRET = "secret";

/** The data of events with content, each with content in one place. */
const DATA = [
  { message: { parts: [{ type: "text", value: SECRET }] } },
  { part: { text: SECRET } },
  { custom_emoji: SECRET },
  { poll: { options: [{ text: SECRET }] } },
  { added_options: [{ text: SECRET }] },
  { first_name: SECRET },
  { last_name: SECRET },
  { image: { filename: SECRET } },
  { sticker: { image: { filename: SECRET } } },
];

test("content is removed from every place of an event's data, and the rest stays", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const events = DATA.map((data) =>
    testEvent(account.ref.id, { messageId: MESSAGE, data: { ...data, status: "kept" } }),
  );
  await transaction((tx) => emitEvents(tx, events));

  await transaction((tx) => redactEvents(tx, account.ref.id, [MESSAGE]));

  const rows = await sql.runText<{ data: { status: string } }>({
    text: "select data from events where account_id = $1 and message_id = $2 order by seq",
    values: [account.ref.id, MESSAGE],
  });
  expect(JSON.stringify(rows)).not.toContain(SECRET);
  expect(rows.map(({ data }) => data.status)).toEqual(DATA.map(() => "kept"));
});

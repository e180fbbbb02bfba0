import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { GET as eventRoute } from "@/app/api/events/[seq]/route";
import { GET as searchRoute } from "@/app/api/events/route";
import { emitEvents } from "@/lib/events/store/emit-event";
import { toStoredData, toWholeData } from "@/lib/events/store/stored-data";
import { EXAMPLE_INBOUND, EXAMPLE_OUTBOUND } from "@/lib/messaging/messages/example-message";
import { sql, transaction } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { testEvent } from "@/lib/testing/events/test-event";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

const LINE = EXAMPLE_OUTBOUND.owner_handle;

let account: TestAccount;
let user: DashboardUser;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  user = await signInAs(account, "admin");
  const sent = { ...EXAMPLE_OUTBOUND, sender_handle: LINE, owner_handle: LINE };
  await transaction((tx) =>
    emitEvents(tx, [
      testEvent(account.ref.id, { type: "message.sent", data: sent }),
      testEvent(account.ref.id, { type: "message.received", data: EXAMPLE_INBOUND }),
    ]),
  );
});

test.each([
  ["sent", EXAMPLE_OUTBOUND],
  ["received", EXAMPLE_INBOUND],
  ["without handles", { status: "done" }],
  ["with handles of another form", { owner_handle: "+1", sender_handle: "+1" }],
  ["null", null],
])("data are read as they were emitted: %s", (_case, data) => {
  expect(toWholeData(JSON.parse(JSON.stringify(toStoredData(data))))).toEqual(data);
});

test("the handle of the line is stored once, and shown where the event's type has it", async () => {
  const [row] = await sql.runText<{ seq: string; sender: unknown }>({
    text: "select seq, data -> 'sender_handle' as sender from events where account_id = $1 and type = 'message.sent'",
    values: [account.ref.id],
  });
  expect(row?.sender).toBe(true);
  const { body } = await user.call(eventRoute, { params: { seq: `${row?.seq}` } });
  expect(body.details.sender_handle).toEqual(LINE);
  expect(body.payloads[0].payload.data.sender_handle).toEqual(LINE);
});

describe("a JSON path finds the sender's handle of a sent message", () => {
  test.each([
    `$.sender_handle.handle == "${LINE.handle}"`,
    `$."sender\\u005fhandle".handle == "${LINE.handle}"`,
    `$.*.handle == "${LINE.handle}"`,
    `exists($.** ? (@.is_me == true))`,
    '$.keyvalue() ? (@.key == "sender_handle" && @.value.is_me == true)',
    '$.KEYVALUE() ? (@.key == "sender_handle" && @.value.is_me == true)',
    "$.sender_handle ? (@.is_me == true)",
  ])("%s", async (json_path) => {
    const { status, body } = await user.call(searchRoute, { query: { json_path, types: "message.sent" } });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.events).toHaveLength(1);
  });

  test("and none that differs", async () => {
    for (const json_path of [
      "$.sender_handle == true",
      "$.sender_handle ? (@.is_me == false)",
      "$.message.sender_handle",
    ]) {
      const { body } = await user.call(searchRoute, { query: { json_path, types: "message.sent" } });
      expect(body.events).toEqual([]);
    }
  });
});

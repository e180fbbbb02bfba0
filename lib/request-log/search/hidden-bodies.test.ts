import "@/lib/testing/use-test-database";

import { expect, test } from "vitest";
import * as oneRequest from "@/app/api/requests/[requestId]/route";
import { EVENT_TYPES } from "@/lib/events/catalog/event-types";
import { hidePayload, readableTypes } from "@/lib/events/catalog/hide-payload";
import type { WebhookEnvelope } from "@/lib/events/catalog/render-event";
import type { Context, Role } from "@/lib/platform/context";
import { createTestAccount } from "@/lib/testing/create-test-account";
import { logTestRequests } from "@/lib/testing/log-test-requests";
import { signInAs } from "@/lib/testing/sign-in/sign-in-as";

test("a viewer sees no body of a request, support none of a payment's, a developer all", async () => {
  const account = await createTestAccount({ type: "sandbox" });
  const bodies = { requestBody: '{"secret":1}', answerBody: '{"answer":1}' };
  const paths = ["/v3/chats", "/v3/payments"];
  const ids = await logTestRequests(account, 2, (index) => ({ ...bodies, path: paths[index] ?? "" }));

  const seen: Record<string, unknown[]> = {};
  for (const role of ["viewer", "support", "developer"] as const) {
    const user = await signInAs(account, role);
    const answers = ids.map((requestId) => user.call(oneRequest.GET, { params: { requestId } }));
    seen[role] = (await Promise.all(answers)).map(({ body }) => [
      body.bodies_hidden,
      body.request.body !== null,
      body.response.body !== null,
    ]);
  }

  const hidden = [true, false, false];
  const shown = [false, true, true];
  expect(seen).toEqual({ viewer: [hidden, hidden], support: [shown, hidden], developer: [shown, shown] });
});

test("a role without the right to payment data gets envelopes without data and can't search them", () => {
  const as = (role: Role) =>
    ({ actor: { type: "user", userId: "u", name: "U", email: "u@example.com", role } }) as unknown as Context;
  const envelope = (event_type: string) =>
    ({ event_type, data: { amount: 5 } }) as unknown as WebhookEnvelope;

  expect(JSON.stringify(hidePayload(as("viewer"), envelope("payment.authorized")))).not.toContain("amount");
  expect(JSON.stringify(hidePayload(as("support"), envelope("connection.created")))).not.toContain("amount");
  expect(JSON.stringify(hidePayload(as("viewer"), envelope("message.sent")))).toContain("amount");
  expect(JSON.stringify(hidePayload(as("developer"), envelope("payment.authorized")))).toContain("amount");
  expect(readableTypes(as("developer"), [])).toEqual([]);
  expect(readableTypes(as("viewer"), ["payment.succeeded"])).toBeNull();
  expect(readableTypes(as("viewer"), [])).toEqual(
    EVENT_TYPES.filter((type) => !type.startsWith("payment.") && !type.startsWith("connection.")),
  );
});

import "@/lib/testing/use-test-database";

import { afterEach, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { now, setClock } from "@/lib/platform/time/clock";
import { sweepLeftovers } from "@/lib/runtime/jobs/sweep-leftovers";
import { callApi } from "@/lib/testing/call-api";
import { createTurnBench } from "@/lib/testing/events/turn-bench";
import { claimDeliveries } from "@/lib/webhooks/deliveries/claim/claim-deliveries";
import { EndpointSlots } from "@/lib/webhooks/deliveries/claim/endpoint-slots";
import { recordAttempt } from "@/lib/webhooks/deliveries/record/record-attempts";

const bench = createTurnBench();
const { write, pass, person } = bench;

afterEach(() => setClock(null));

/** A turn of two messages, and its delivery, claimed. */
async function deliverTurn() {
  await bench.subscribe();
  const ada = person();
  const first = await write(ada, "my card is 4242");
  await write(ada, "hello");
  await pass(2);
  const { claimed } = await claimDeliveries(new EndpointSlots(512), { limit: 10, leaseMs: 0 });
  const delivery = claimed.find(
    ({ event, accountId }) => accountId === bench.account().ref.id && event.type === "chat.turn",
  );
  if (delivery === undefined) throw new Error("no delivery of a turn");
  return { ...first, delivery };
}

type Claimed = Awaited<ReturnType<typeof deliverTurn>>["delivery"];

/** Stores that the receiver answered with the content of the event. */
function echo(delivery: Claimed): Promise<void> {
  const result = {
    startedAt: now(),
    latencyMs: 1,
    timing: null,
    request: null,
    statusCode: 200,
    error: null,
    responseHeaders: { location: "/?text=4242" },
    responseBody: "my card is 4242",
    retryAfterMs: null,
  };
  return recordAttempt({ delivery, result, evaluation: { status: "delivered", retryInMs: null }, at: now() });
}

async function answersOf({ id }: Claimed) {
  return sql.runText({
    text: "select response_body, response_headers from webhook_attempts where account_id = $1 and delivery_id = $2",
    values: [bench.account().ref.id, id],
  });
}

const remove = (messageId: string) =>
  callApi(`DELETE /v3/messages/${messageId}`, { token: bench.account().token });

test("what a receiver answered to a turn is erased with a message of the turn", async () => {
  const { messageId, delivery } = await deliverTurn();
  await echo(delivery);
  expect(await answersOf(delivery)).toMatchObject([{ response_body: "my card is 4242" }]);
  await remove(messageId);
  expect(await answersOf(delivery)).toEqual([{ response_body: null, response_headers: null }]);
});

test("what a receiver answers to a turn of which a message was erased meanwhile is not stored", async () => {
  const { messageId, delivery } = await deliverTurn();
  await remove(messageId);
  await echo(delivery);
  expect(await answersOf(delivery)).toMatchObject([{ response_body: null }]);
});

test("what a receiver answers to a turn without erased messages is stored", async () => {
  const { delivery } = await deliverTurn();
  await echo(delivery);
  expect(await answersOf(delivery)).toMatchObject([{ response_body: "my card is 4242" }]);
});

test("the JSON path of a replay that sent a turn is erased with a message of the turn", async () => {
  const { messageId, delivery } = await deliverTurn();
  const accountId = bench.account().ref.id;
  await sql.runText({
    text: `with replay as (
             insert into webhook_replays
               (account_id, id, subscription_id, selection, is_bulk, total, per_second, trace_id, created_at, ended_at)
             select account_id, gen_random_uuid(), subscription_id, '{"filter":{"json_path":"4242"}}', false, 1, 50, 'trace',
               now(), now() from webhook_deliveries where account_id = $1 and id = $2 returning id)
           update webhook_deliveries d set replay_id = r.id from replay r where d.account_id = $1 and d.id = $2`,
    values: [accountId, delivery.id],
  });
  await remove(messageId);
  const paths = await sql.runText({
    text: "select selection #>> '{filter,json_path}' as path from webhook_replays where account_id = $1",
    values: [accountId],
  });
  expect(paths).toEqual([{ path: "(erased)" }]);
});

test("which messages a turn contains is known as long as its event is there", async () => {
  const { messageId } = await deliverTurn();
  const accountId = bench.account().ref.id;
  const entries = () =>
    sql.runText({
      text: "select event_id from chat_turn_messages where account_id = $1 and message_id = $2",
      values: [accountId, messageId],
    });
  setClock({ offsetMs: 400 * 86_400_000, frozenAt: null });
  const stop = new AbortController().signal;
  await sweepLeftovers(stop);
  expect(await entries()).toHaveLength(1);
  await sql.runText({
    text: "delete from events where account_id = $1 and type = 'chat.turn'",
    values: [accountId],
  });
  await sweepLeftovers(stop);
  expect(await entries()).toEqual([]);
});

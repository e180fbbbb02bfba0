import type pg from "pg";
import { afterEach } from "vitest";
import { emitEvents } from "@/lib/events/store/emit-event";
import { dedicatedClient, transaction } from "@/lib/platform/database/db";
import { setClock } from "@/lib/platform/time/clock";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { testEvent } from "@/lib/testing/events/test-event";

let clients: pg.Client[] = [];

afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  clients = [];
  setClock(null);
});

/** A connection of its own, closed after the test. */
export async function connection(): Promise<pg.Client> {
  const client = dedicatedClient(60_000);
  await client.connect();
  clients.push(client);
  return client;
}

export type ConsumerBench = Awaited<ReturnType<typeof createConsumerBench>>;

/** An account with its consumers' operations, on a platform clock that is frozen and moves only with `advance`. */
export async function createConsumerBench(start = new Date()) {
  let at = start.getTime();
  const setAt = () => setClock({ offsetMs: 0, frozenAt: new Date(at) });
  setAt();
  const account: TestAccount = await createTestAccount({ type: "sandbox" });
  const call = (what: `${string} ${string}`, body?: unknown, token = account.token): Promise<ApiAnswer> =>
    callApi(what, { token, ...(body === undefined ? {} : { body }) });

  return {
    account,
    call,
    advance(seconds: number): void {
      at += seconds * 1000;
      setAt();
    },
    put: (body: object = {}, name = "c") => call(`PUT /v3/consumers/${name}`, body),
    poll: (body: object = {}, name = "c") => call(`POST /v3/consumers/${name}/poll`, body),
    ack: (up_to: string, lease: string, name = "c") =>
      call(`POST /v3/consumers/${name}/ack`, { up_to, lease }),
    seek: (after: string) => call("POST /v3/consumers/c/seek", { after }),
    /** Stores events in one transaction, and returns their trace ids. */
    async emit(count = 1, fields: Parameters<typeof testEvent>[1] = {}): Promise<string[]> {
      const events = Array.from({ length: count }, () => testEvent(account.ref.id, fields));
      await transaction((tx) => emitEvents(tx, events));
      return events.map((event) => event.traceId);
    },
  };
}

export const tracesOf = ({ body }: ApiAnswer): string[] =>
  body.events.map(({ envelope }: { envelope: { trace_id: string } }) => envelope.trace_id);
export const idsOf = ({ body }: ApiAnswer): string[] => body.events.map(({ id }: { id: string }) => id);
export const errorOf = ({ status, body }: ApiAnswer) => [status, body.error?.code];

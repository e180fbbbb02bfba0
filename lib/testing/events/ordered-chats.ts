import type http from "node:http";
import { emitEvents, type NewEvent } from "@/lib/events/store/emit-event";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { testEvent } from "@/lib/testing/events/test-event";
import { type Receiver, startReceiver } from "@/lib/testing/servers/start-receiver";
import { until } from "@/lib/testing/until";

/** Events of chats that are called by letters: "A1" is the first event of chat A, "-1" the first without a chat. */
export class OrderedChats {
  readonly #chats = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(readonly accountId: () => string) {}

  chatId(letter: string): string {
    const id = this.#chats.get(letter) ?? newId(now().getTime());
    this.#chats.set(letter, id);
    return id;
  }

  nameOf(eventId: string): string {
    return this.#names.get(eventId) ?? eventId;
  }

  /** The next event of each chat, as in "AAB". */
  events(letters: string): NewEvent[] {
    return [...letters].map((letter) => {
      const count = (this.#counts.get(letter) ?? 0) + 1;
      this.#counts.set(letter, count);
      const id = newId(now().getTime());
      this.#names.set(id, `${letter}${count}`);
      return testEvent(this.accountId(), { id, chatId: letter === "-" ? null : this.chatId(letter) });
    });
  }

  emit(letters: string): Promise<void> {
    return transaction((tx) => this.emitIn(tx, letters));
  }

  emitIn(tx: Sql, letters: string): Promise<void> {
    return emitEvents(tx, this.events(letters));
  }

  /** The deliveries of a subscription, as "A1 delivered", in the order of the log. */
  async statesOf(subscriptionId: string): Promise<string[]> {
    const rows = await sql.runText<{ id: string; state: string }>({
      text: `select e.id, case when d.stopped_at is not null and d.status = 'waiting' then 'stopped'
               when d.status = 'waiting' and d.run_at is not null then 'turn' else d.status::text end as state
             from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq
             where d.subscription_id = $1 order by d.event_seq, d.created_at`,
      values: [subscriptionId],
    });
    return rows.map(({ id, state }) => `${this.nameOf(id)} ${state}`);
  }
}

/** A receiver that holds each request until the test lets it answer. */
export class HeldReceiver {
  readonly #held = new Map<string, http.ServerResponse>();
  receiver!: Receiver;
  /** The names of all requests, as they came. */
  readonly came: string[] = [];

  constructor(readonly chats: OrderedChats) {}

  static async start(chats: OrderedChats): Promise<HeldReceiver> {
    const held = new HeldReceiver(chats);
    held.receiver = await startReceiver((response, _count, request) => {
      const name = chats.nameOf(String(request.headers["webhook-id"]));
      held.came.push(name);
      held.#held.set(name, response);
    });
    return held;
  }

  /** The requests that wait for an answer. */
  get waiting(): string[] {
    return [...this.#held.keys()].toSorted();
  }

  async untilWaiting(...names: string[]): Promise<void> {
    await until(async () => names.every((name) => this.#held.has(name)));
  }

  async answer(name: string, status = 200): Promise<void> {
    await this.untilWaiting(name);
    this.#held.get(name)?.writeHead(status).end();
    this.#held.delete(name);
  }
}

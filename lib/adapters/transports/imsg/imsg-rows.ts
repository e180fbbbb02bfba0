import "server-only";
import { z } from "zod";
import { createChats, ImsgChat, serviceOf } from "@/lib/adapters/transports/imsg/imsg-chats";
import { createEchoes, type Echoes } from "@/lib/adapters/transports/imsg/imsg-echoes";
import { hasChat, NoSender, toDate, toEvents } from "@/lib/adapters/transports/imsg/imsg-messages";
import { createReportOrder } from "@/lib/adapters/transports/imsg/imsg-order";
import { ImsgMessage } from "@/lib/adapters/transports/imsg/imsg-payloads";
import { changedPoll } from "@/lib/adapters/transports/imsg/imsg-polls";
import type { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { timeOfId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/telemetry/log";

const HOUR_MS = 3_600_000;
/** Rows this much older than the newest one are not new: Messages fills in what is older, with higher numbers. */
const BACK_FILL_MS = 72 * HOUR_MS;
/** A row reported live is of now. Older ones are left to the poll, which knows what was seen. */
const LIVE_MS = HOUR_MS;
const HISTORY = 500;
const MAX_POLLS = 1000;

const Chats = z.object({ chats: z.array(z.unknown()) });
const History = z.object({ messages: z.array(z.unknown()) });

/** Reads of imsg: a method with its parameters. */
type Read = (method: string, params: Record<string, unknown>) => Promise<unknown>;

/** Turns rows of imsg into events, with what must be known about other rows and chats. */
export class ImsgRows {
  readonly chats = createChats((limit) => this.#listChats(limit));
  readonly echoes: Echoes;
  readonly #line: LineRef;
  readonly #settings: ImsgSettings;
  readonly #read: Read;
  #order = createReportOrder();
  readonly #polls = new Map<string, readonly string[]>();

  constructor(line: LineRef, settings: ImsgSettings, read: Read) {
    this.echoes = createEchoes(line);
    this.#line = line;
    this.#settings = settings;
    this.#read = read;
  }

  /** The rows that can be read. */
  parse(rows: readonly unknown[]): ImsgMessage[] {
    return rows.flatMap((row) => ImsgMessage.safeParse(row).data ?? []);
  }

  /** The reports of the rows that can't be read. Only polls report it, so that it is counted once. */
  unreadable(rows: readonly unknown[]): InEvent[] {
    const refused = rows.filter((row) => !ImsgMessage.safeParse(row).success);
    return refused.map((row) => this.#unreadableRow(row));
  }

  /** Rows that the watch reported at `since`, by `performance.now()`. Those whose age only a poll knows are left to it. */
  readLive(rows: readonly ImsgMessage[], since: number): Promise<InEvent[]> {
    for (const row of rows) this.#order.note(row);
    const oldest = Date.now() - LIVE_MS;
    return this.#readRows(
      rows.filter((row) => hasChat(row) && toDate(row.created_at).getTime() >= oldest),
      { isLive: true, since },
    );
  }

  /** Rows that a poll has read. `newest`: the date of the newest row that earlier polls have seen. */
  readPage(rows: readonly ImsgMessage[], newest: Date): Promise<InEvent[]> {
    for (const row of rows) this.#order.note(row);
    // A line does not know what was written before it was created.
    const oldest = Math.max(newest.getTime() - BACK_FILL_MS, timeOfId(this.#line.id) - HOUR_MS);
    return this.#readRows(
      rows.filter((row) => toDate(row.created_at).getTime() >= oldest && !this.#order.isOutdated(row)),
      { isLive: false, since: performance.now() },
    );
  }

  /** The newest row of the newest chat; null in an empty database. */
  async findNewest(): Promise<ImsgMessage | null> {
    const [chat] = await this.#listChats(1);
    if (chat === undefined) return null;
    return (await this.#readHistory(chat.id, 1))[0] ?? null;
  }

  /** Another file has taken the place of the database: the numbers of its rows mean something else. */
  forgetOrder(): void {
    this.#order = createReportOrder();
  }

  async #listChats(limit: number): Promise<ImsgChat[]> {
    const { chats } = Chats.parse(await this.#read("chats.list", { limit }));
    const known = chats.flatMap((chat) => ImsgChat.safeParse(chat).data ?? []);
    for (const { account_login, last_addressed_handle } of known) {
      this.echoes.addHandle(account_login);
      this.echoes.addHandle(last_addressed_handle);
    }
    return known;
  }

  #unreadableRow(row: unknown): InEvent {
    log.warn({ lineId: this.#line.id }, "a row of imsg can't be read");
    return { type: "unreadable", reason: "A row of Messages can't be read.", payload: JSON.stringify(row) };
  }

  async #readHistory(chatId: number, limit: number): Promise<ImsgMessage[]> {
    const history = await this.#read("messages.history", { chat_id: chatId, limit });
    return this.parse(History.parse(history).messages);
  }

  /** The options of a poll, in their order. They are in its row, and in those that added some. */
  async #optionsOf(guid: string, message: ImsgMessage): Promise<readonly string[]> {
    const known = this.#polls.get(guid);
    if (known !== undefined) return known;
    const before = (await this.#readHistory(message.chat_id, HISTORY))
      .filter(({ id }) => id < message.id)
      .reverse();
    for (const row of before) this.#noteOptions(row);
    return this.#polls.get(guid) ?? [];
  }

  #noteOptions({ guid, poll }: ImsgMessage): void {
    if (poll?.kind !== "created" || poll.options.length === 0) return;
    const of = changedPoll(poll) ?? guid;
    const known = this.#polls.get(of) ?? [];
    const ids = poll.options.map(({ id }) => id).filter((id) => !known.includes(id));
    this.#polls.delete(of);
    this.#polls.set(of, [...known, ...ids]);
    const [oldest] = this.#polls.keys();
    if (this.#polls.size > MAX_POLLS && oldest !== undefined) this.#polls.delete(oldest);
  }

  async #readRow(message: ImsgMessage, isLive: boolean, since: number): Promise<InEvent[]> {
    const poll = message.poll === undefined ? null : changedPoll(message.poll);
    const pollOptions = poll === null ? [] : await this.#optionsOf(poll, message);
    this.#noteOptions(message);
    const chat =
      message.is_reaction === true || poll !== null ? null : await this.chats.find(message.chat_id, since);
    const service = serviceOf(chat, message.chat_guid);
    const line = this.#line;
    try {
      return toEvents({ line, settings: this.#settings, service, isLive, pollOptions }, message);
    } catch (error) {
      // It would hold back all rows behind it.
      if (!(error instanceof NoSender)) log.error({ err: error, lineId: line.id }, "a row of imsg failed");
      return isLive ? [] : [this.#unreadableRow(message)];
    }
  }

  async #readRows(
    rows: readonly ImsgMessage[],
    { isLive, since }: { isLive: boolean; since: number },
  ): Promise<InEvent[]> {
    // A reflection may come before our own row.
    for (const row of rows) if (row.is_from_me) this.echoes.addRow(row);
    const events: InEvent[] = [];
    for (const row of rows) {
      if (row.is_from_me) this.#noteOptions(row);
      else if (!this.echoes.isEcho(row)) events.push(...(await this.#readRow(row, isLive, since)));
    }
    return events;
  }
}

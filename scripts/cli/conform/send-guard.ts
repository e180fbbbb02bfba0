import type { ApiRequest } from "@/scripts/cli/conform/api-request";
import { blockId, cardId } from "@/scripts/cli/conform/removals";
import { idAt, textAt, valueAt } from "@/scripts/cli/conform/value-at";

const NUMBERS = /\+[1-9]\d{6,14}/g;
const ADDRESSES = /[^\s"'<>@/?&=,]+@[^\s"'<>@/?&=,]+/g;
/** Things that a write may name only if the run created them. */
const OF_THE_RUN =
  /^\/v3\/(?:chats|messages|scheduled_messages|webhook-subscriptions|attachments|payment_requests|consumers)\/([^/]+)/;
/** Names of hosts under `.invalid` never exist (RFC 2606). */
const NOWHERE = /\.invalid$/;
/** A field that names a sender, which no message reaches. */
const SENDER_FIELDS = new Set(["from", "phone_number", "exclude_from"]);
/** Lookups and settings, which send nothing. Blocks and cards that existed before the run are not removed. */
const SENDS_NOTHING = /^\/v3\/(capability|blocked_handles|phone_numbers|contact_card)\b/;

/** The longest email address. A longer text is no handle. */
const MAX_HANDLE = 254;

/** An ID that no server has. */
export const NO_ID = "not-a-uuid";

/**
 * Lets no write pass to a phone number or an email address that was not named, nor to a chat, a message, a subscription or
 * anything else that the run did not create.
 */
export class SendGuard {
  private readonly handles = new Set<string>();
  private readonly ids = new Set<string>([NO_ID]);
  private readonly existing = new Set<string>();
  private readonly lines = new Set<string>();

  /** A person who may be written to: named with `--to`, or simulated. */
  name(handle: string): void {
    this.handles.add(handle.toLowerCase());
  }

  /** A line of the account, which takes part in each of its chats. */
  addLine(number: string): void {
    this.lines.add(number);
  }

  isNamed(handle: string): boolean {
    return this.handles.has(handle.toLowerCase());
  }

  /** Something that existed before the run, which nothing makes the run's own. */
  protect(id: string): void {
    this.existing.add(id.toLowerCase());
  }

  /** Something that the run created, or an ID that exists nowhere. Returns false for what existed before the run. */
  own(id: string): boolean {
    if (this.existing.has(id.toLowerCase())) return false;
    this.ids.add(id.toLowerCase());
    return true;
  }

  /** Owns the chat that a response names if its only people were named. Returns whether the chat is owned. */
  ownChatOf(json: unknown): boolean {
    const place = ["chat", "voice_memo.chat"].find((one) => valueAt(json, one) !== undefined);
    const id = place === undefined ? idAt(json, "chat_id") : idAt(json, `${place}.id`);
    if (id === undefined) return false;
    const people = this.peopleOf(place === undefined ? json : valueAt(json, place));
    if (people === "named") this.own(id);
    return people !== "others" && this.ids.has(id.toLowerCase());
  }

  /** Whom a chat is with: only named people, others, or a response that does not say. */
  peopleOf(chat: unknown): "named" | "others" | "unknown" {
    const handles = valueAt(chat, "handles");
    if (!Array.isArray(handles)) return "unknown";
    const isLine = (one: unknown) =>
      valueAt(one, "is_me") === true || this.lines.has(textAt(one, "handle") ?? "");
    const others = handles.filter((one) => !isLine(one));
    const areNamed = others.every((one) => this.isNamed(textAt(one, "handle") ?? ""));
    return others.length > 0 && areNamed ? "named" : "others";
  }

  /** Throws an Error for a write that would reach or change anything else. */
  check({ method, path, body, raw }: ApiRequest): void {
    const [pathname = path, query = ""] = path.split("?");
    const written = decodeURIComponent(pathname);
    if (method === "GET") return;
    if (SENDS_NOTHING.test(written)) {
      if (method === "DELETE") this.checkDeletion(written, { body, query });
      return;
    }
    // A simulated phone reaches only a line of the account.
    if (written.startsWith("/simulator/")) return;
    const id = OF_THE_RUN.exec(written)?.[1];
    if (id !== undefined && !this.ids.has(id.toLowerCase())) {
      throw new Error(`${method} ${path} was not sent: the run did not create ${id}`);
    }
    const text = `${written}\n${JSON.stringify(withoutSenders(body)) ?? ""}\n${raw ?? ""}`;
    const handles = [...text.matchAll(NUMBERS), ...text.matchAll(ADDRESSES)].map(([handle]) => handle);
    const unnamed = handles.find((handle) => !this.isNamed(handle) && !NOWHERE.test(handle));
    if (unnamed !== undefined) {
      throw new Error(`${method} ${path} was not sent: ${unnamed} was not named`);
    }
  }

  /** A block or a contact card is deleted only if the run created it. Throws an Error. */
  private checkDeletion(written: string, { body, query }: { body?: unknown; query: string }): void {
    const line = new URLSearchParams(query).get("phone_number");
    const handle = textAt(body, "handle");
    const isHandle = handle !== undefined && handle.length <= MAX_HANDLE;
    const ids = [...(line === null ? [] : [cardId(line)]), ...(isHandle ? [blockId(handle)] : [])];
    const unowned = ids.find((id) => !this.ids.has(id.toLowerCase()) && !NOWHERE.test(id));
    if (unowned !== undefined) {
      throw new Error(`DELETE ${written} was not sent: the run did not create ${unowned}`);
    }
  }
}

function withoutSenders(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSenders);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !SENDER_FIELDS.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutSenders(one)]));
}

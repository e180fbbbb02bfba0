import type { ApiRequest } from "@/scripts/cli/conform/api-request";

const NUMBERS = /\+[1-9]\d{6,14}/g;
const ADDRESSES = /[^\s"'<>@/?&=,]+@[^\s"'<>@/?&=,]+/g;
/** The IDs of chats and messages, of which a write reaches people. */
const CHAT_OR_MESSAGE = /\/v3\/(?:chats|messages|scheduled_messages)\/([^/?]+)/;
/** Names of hosts under `.invalid` never exist (RFC 2606). */
const NOWHERE = /\.invalid$/;
/** A field that names a sender, which no message reaches. */
const SENDER_FIELDS = new Set(["from", "phone_number", "exclude_from"]);
/** Lookups and settings. Nothing is sent. */
const SENDS_NOTHING = /^\/v3\/(capability|blocked_handles|phone_numbers|contact_card)\b/;

/** A request that would reach a person who was not named. Never sent: a defect of `conform`. */
class UnnamedRecipient extends Error {}

/**
 * Lets no write pass to a phone number, an email address, a chat or a message other than those that were named or that
 * the run itself created.
 */
export class SendGuard {
  private readonly handles = new Set<string>();
  private readonly ids = new Set<string>();

  /** A person who may be written to: named with `--to`, or simulated. */
  name(handle: string): void {
    this.handles.add(handle.toLowerCase());
  }

  isNamed(handle: string): boolean {
    return this.handles.has(handle.toLowerCase());
  }

  /** A chat with named people, a message in it, or an ID that exists nowhere. */
  own(id: string): void {
    this.ids.add(id.toLowerCase());
  }

  /** Throws UnnamedRecipient. */
  check({ method, path, body, raw }: ApiRequest): void {
    const written = decodeURIComponent(path.split("?")[0] ?? path);
    if (method === "GET" || SENDS_NOTHING.test(written)) return;
    // A simulated phone reaches nobody but a line of the account.
    if (written.startsWith("/simulator/")) return;
    const id = CHAT_OR_MESSAGE.exec(written)?.[1];
    if (id !== undefined && isUuid(id) && !this.ids.has(id.toLowerCase())) {
      throw new UnnamedRecipient(`${method} ${path}: the run created no such chat or message`);
    }
    const text = `${written}\n${JSON.stringify(withoutSenders(body)) ?? ""}\n${raw ?? ""}`;
    const handles = [...text.matchAll(NUMBERS), ...text.matchAll(ADDRESSES)].map(([handle]) => handle);
    const unnamed = handles.find((handle) => !this.isNamed(handle) && !NOWHERE.test(handle));
    if (unnamed !== undefined) throw new UnnamedRecipient(`${method} ${path}: ${unnamed} was not named`);
  }
}

function withoutSenders(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSenders);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !SENDER_FIELDS.has(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutSenders(one)]));
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

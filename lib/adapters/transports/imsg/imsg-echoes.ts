import "server-only";
import { toHandle } from "@/lib/adapters/transports/imsg/imsg-handle";
import { isGroupRow, senderOf, toDate } from "@/lib/adapters/transports/imsg/imsg-messages";
import type { ImsgMessage } from "@/lib/adapters/transports/imsg/imsg-payloads";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { now } from "@/lib/platform/time/clock";

/** How far apart the times of a text and of its reflection are at most. */
const ECHO_MS = 5000;
const MAX_KEPT = 2000;
/** A send ends within this time. One that failed must not take a person's own message for its reflection later. */
const SEND_MS = 180_000;

/** A text that the line sent. A reflection of it comes once. */
interface OwnText {
  chat: string;
  text: string;
  from: number;
  until: number;
  isReflected: boolean;
}

/**
 * Our own messages, which Messages may report a second time as if a person had sent them: from our own address, with
 * the GUID of our message, or with its text in the same chat within seconds.
 */
export interface Echoes {
  /** An address of our own, as Messages writes it. */
  addHandle(raw: string | undefined): void;
  /** A message that is being sent. Call the returned function with its GUID once it was sent. */
  addSend(target: Record<string, string>, text: string, attemptId?: string): (guid?: string) => void;
  /** An outbound row. */
  addRow(message: ImsgMessage): void;
  isEcho(message: ImsgMessage): boolean;
}

export function createEchoes(line: LineRef): Echoes {
  const handles = new Set([line.phoneNumber]);
  const guids = new Set<string>();
  const texts: OwnText[] = [];

  function addGuid(guid: string | undefined): void {
    if (guid === undefined || guid === "") return;
    guids.add(guid.toLowerCase());
    const [oldest] = guids;
    if (guids.size > MAX_KEPT && oldest !== undefined) guids.delete(oldest);
  }

  function addText(own: OwnText): void {
    if (own.text === "") return;
    texts.push(own);
    if (texts.length > MAX_KEPT) texts.shift();
  }

  function addHandle(raw: string | undefined): void {
    // The login of an account begins with its kind, such as E: or P:.
    const handle = raw === undefined ? null : toHandle(line, raw.replace(/^[EP]:/, ""));
    if (handle !== null) handles.add(handle);
  }

  return {
    addHandle,
    addSend({ to, chat_identifier, chat_guid }, value, attemptId) {
      addGuid(attemptId);
      const chat = chat_guid ?? toHandle(line, to ?? chat_identifier ?? "") ?? "";
      const from = now().getTime();
      const own = { chat, text: plain(value), from, until: from + SEND_MS, isReflected: false };
      addText(own);
      return (guid) => {
        addGuid(guid);
        own.until = now().getTime();
      };
    },
    addRow(message) {
      addHandle(message.destination_caller_id);
      addGuid(message.guid);
      const at = toDate(message.created_at).getTime();
      addText({
        chat: chatOf(line, message),
        text: plain(message.text),
        from: at,
        until: at,
        isReflected: false,
      });
    },
    isEcho(message) {
      const from = senderOf(line, message);
      if ((from !== null && handles.has(from)) || guids.has(message.guid.toLowerCase())) return true;
      const text = plain(message.text);
      if (text === "" || message.is_reaction === true) return false;
      const at = toDate(message.created_at).getTime();
      const chat = chatOf(line, message);
      const matching = texts.filter(
        (own) =>
          own.chat === chat && own.text === text && at >= own.from - ECHO_MS && at <= own.until + ECHO_MS,
      );
      const own = matching.find(({ isReflected }) => !isReflected);
      if (own === undefined) return false;
      // A send and its row are the same message.
      for (const each of matching) each.isReflected = true;
      addGuid(message.guid);
      return true;
    },
  };
}

function chatOf(line: LineRef, message: ImsgMessage): string {
  if (isGroupRow(message)) return message.chat_guid || message.chat_identifier;
  return toHandle(line, message.chat_identifier) ?? message.chat_guid;
}

function plain(value: string): string {
  return value.replaceAll("\ufffc", "").replaceAll("\u0000", "").trim().normalize("NFC");
}

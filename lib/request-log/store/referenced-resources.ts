import "server-only";

/** The resources that a request and its response name: the chat, the messages and the line. */
export interface ReferencedResources {
  chatId: string | null;
  messageIds: string[];
  line: string | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LINE_IN_QUERY = /[?&](?:from|phone_number)=(?:%2B|\+)([1-9]\d{1,14})(?![^&])/i;
const LINE_IN_BODY = /"(?:from|phone_number)"\s*:\s*"(\+[1-9]\d{1,14})"/;
const E164 = /^\+[1-9]\d{1,14}$/;

/**
 * Finds the resources that a response and the path's parameters name. Reads only the properties where the API's
 * responses have them.
 */
export function findReferencedResources(
  result: unknown,
  params: Record<string, string>,
): ReferencedResources {
  const answer = isRecord(result) ? result : {};
  const memo = isRecord(answer.voice_memo) ? answer.voice_memo : {};
  const chat: Json = [answer.chat, memo.chat].find(isRecord) ?? {};
  const own = params.messageId === undefined ? null : answer;
  const listed: unknown[] = Array.isArray(answer.messages) ? answer.messages : [];
  const messages = [own, answer.message, answer.voice_memo, chat.message, ...listed].filter(isRecord);
  return {
    chatId: uuid(params.chatId) ?? uuid(chat.id) ?? uuid(answer.chat_id) ?? uuid(messages[0]?.chat_id),
    messageIds: uuidsOf([params.messageId, answer.message_id, ...messages.map((message) => message.id)]),
    line: lineParameter(params) ?? ownHandle(chat.handles ?? answer.handles, messages),
  };
}

/** The line that a request names in its query or body; null when it names none. */
export function lineInRequest(url: string, body: string): string | null {
  const inQuery = LINE_IN_QUERY.exec(url)?.[1];
  return inQuery === undefined ? (LINE_IN_BODY.exec(body)?.[1] ?? null) : `+${inQuery}`;
}

type Json = Record<string, unknown>;

function lineParameter({ phoneNumber }: Record<string, string>): string | null {
  return phoneNumber !== undefined && E164.test(phoneNumber) ? phoneNumber : null;
}

function ownHandle(handles: unknown, messages: Json[]): string | null {
  const parties = Array.isArray(handles) ? handles : messages.map((message) => message.from_handle);
  const ours = parties.find((party) => isRecord(party) && party.is_me === true);
  return isRecord(ours) && typeof ours.handle === "string" ? ours.handle : null;
}

function uuid(value: unknown): string | null {
  return typeof value === "string" && UUID.test(value) ? value.toLowerCase() : null;
}

function uuidsOf(values: unknown[]): string[] {
  return [...new Set(values.map(uuid).filter((id) => id !== null))];
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

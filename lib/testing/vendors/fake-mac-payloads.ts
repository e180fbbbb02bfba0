/**
 * What imsg emits, key by key: openclaw/imsg 0.15.10, Sources/imsg/OutputModels.swift (`MessagePayload`,
 * `AttachmentPayload`, `ChatPayload`), RPCPayloads.swift (`messagePayload`) and Sources/IMsgCore/MessagePolls.swift.
 * docs/json.md names `path` and `byte_size` of an attachment, which the source never emits. A field that does not apply
 * is omitted, not null.
 */

/** An attachment. `original_path` is empty for a file that Messages has not named yet. */
interface MacAttachment {
  filename: string;
  transfer_name: string;
  uti: string;
  mime_type: string;
  total_bytes: number;
  is_sticker: boolean;
  original_path: string;
  converted_path?: string;
  converted_mime_type?: string;
  /** Whether there is no file at the path: iCloud fetches files later (Sources/IMsgCore/AttachmentResolver.swift). */
  missing: boolean;
}

/** The poll of a row. A vote names all options that its person has chosen (Sources/IMsgCore/MessageStore+Polls.swift). */
export interface MacPoll {
  kind: "created" | "vote" | "unknown";
  event: string;
  poll_guid?: string;
  question?: string;
  options?: { id: string; text: string }[];
  vote?: { option_id: string; participant?: string; event_type?: string };
  votes?: { option_id: string; participant?: string; event_type?: string }[];
  original_guid?: string;
  creator?: string;
  participants?: string[];
  metadata?: Record<string, unknown>;
}

/** A chat of Messages. `service` is the service; the GUID of macOS 26 begins with `any` for every service. */
export interface MacChat {
  id: number;
  name: string;
  identifier: string;
  service: string;
  last_message_at: string;
  guid: string;
  display_name: string;
  is_group: boolean;
  participants: string[];
  account_id: string;
  account_login: string;
  last_addressed_handle: string;
  unread_count: number;
}

/** The fields of a row that a test sets, beyond its chat, its sender and its text. */
export interface RowFields {
  guid?: string;
  sender?: string;
  created_at?: string;
  is_from_me?: boolean;
  attachments?: Partial<MacAttachment>[];
  /** Stands on ordinary messages too, for the row before it (Sources/IMsgCore/MessageStore+ReplyContext.swift). */
  reply_to_guid?: string;
  thread_originator_guid?: string;
  /** As in the database, `part:start:length`. */
  thread_originator_part?: string;
  destination_caller_id?: string;
  balloon_bundle_id?: string;
  url_preview?: { id: number; guid: string; balloon_bundle_id: string; created_at: string };
  poll?: MacPoll;
  is_reaction?: true;
  reaction_type?: string;
  reaction_emoji?: string;
  is_reaction_add?: boolean;
  reacted_to_guid?: string;
}

/** A row of the database of Messages. */
export interface Row extends RowFields {
  id: number;
  guid: string;
  /** null = Messages has not joined the row to a chat yet. */
  chat: MacChat | null;
  sender: string;
  text: string;
  is_from_me: boolean;
  created_at: string;
  state: "sent" | "delivered" | "failed";
  isRead: boolean;
}

const ATTACHMENT: MacAttachment = {
  filename: "",
  transfer_name: "",
  uti: "",
  mime_type: "",
  total_bytes: 0,
  is_sticker: false,
  original_path: "",
  missing: true,
};

/** A row as messages.after and messages.history return it, and as the watch reports it, with its `cursor`. */
export function toMessage(row: Row): Record<string, unknown> {
  const { chat, state, isRead, attachments = [], ...fields } = row;
  return {
    ...fields,
    chat_id: chat?.id ?? 0,
    chat_identifier: chat?.identifier ?? "",
    chat_guid: chat?.guid ?? "",
    chat_name: chat?.name ?? "",
    participants: chat?.participants ?? [],
    is_group: chat?.is_group ?? false,
    attachments: attachments?.map((attachment) => ({ ...ATTACHMENT, missing: false, ...attachment })) ?? null,
    reactions: [],
    ...(!row.is_from_me && { is_read: isRead, ...(isRead && { date_read: row.created_at }) }),
  };
}

import "server-only";
import type { Outbound } from "@/lib/adapters/transports/outbound";

const MAX_ENTRIES = 10_000;

/** A chat of the upstream. */
export interface UpstreamChat {
  isGroup: boolean;
  /** The active participants besides the line. */
  others: readonly string[];
  /** By `performance.now()`. */
  readAt: number;
}

/** A send of this process, to recognize its message in a list of the upstream. */
export interface RecentSend {
  message: Outbound;
  chatId: string | null;
  /** By the wall clock. */
  startedAt: number;
}

/** Details of upstream accounts that this process has read. Everything in it can be read again. */
interface UpstreamState {
  directChats: Recent<string>;
  chats: Recent<UpstreamChat>;
  /** Uploaded files: the ids of the upstream's attachments. */
  files: Recent<{ attachmentId: string; downloadUrl: string; uploadedAt: number }>;
  /** The upstream's ids of stickers that the line placed. */
  stickers: Recent<string>;
  sends: Recent<RecentSend>;
  /** The sends by the upstream's ids of their messages. */
  messages: Recent<string>;
}

/** The latest 10,000 values by key. */
class Recent<Value> {
  private readonly values = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.values.get(key);
  }

  set(key: string, value: Value): void {
    this.values.delete(key);
    this.values.set(key, value);
    const [oldest] = this.values.keys();
    if (this.values.size > MAX_ENTRIES && oldest !== undefined) this.values.delete(oldest);
  }

  delete(key: string): void {
    this.values.delete(key);
  }
}

const shared = globalThis as typeof globalThis & { trunklineUpstream?: UpstreamState };

export function upstreamState(): UpstreamState {
  shared.trunklineUpstream ??= {
    directChats: new Recent(),
    chats: new Recent(),
    files: new Recent(),
    stickers: new Recent(),
    sends: new Recent(),
    messages: new Recent(),
  };
  return shared.trunklineUpstream;
}

import type { Socket } from "node:net";
import {
  deliveryData,
  METHODS,
  type Method,
  READS,
  RpcFailure,
} from "@/lib/testing/vendors/fake-mac-methods";
import { type Row, toMessage } from "@/lib/testing/vendors/fake-mac-payloads";
import type { MacKnobs } from "@/lib/testing/vendors/fake-mac-store";

const MAX_OUTSTANDING = 128;

/** The Mac that a process of imsg runs on. */
interface ConnectedMac {
  knobs: MacKnobs;
  rows: readonly Row[];
  /** Answers a method. `poison` = further changes of the process fail. */
  handle(method: Method, params: unknown, poison: () => void): Promise<unknown>;
  onClose(connection: MacConnection): void;
}

/** A process of imsg (docs/rpc.md): JSON-RPC in lines, changes one after the other, reads at any time. */
export class MacConnection {
  readonly #socket: Socket;
  #rest = "";
  #lane: Promise<void> = Promise.resolve();
  #outstanding = 0;
  #watch: number | null = null;
  #events: number | null = null;
  #isPoisoned = false;
  #subscriptions = 0;

  constructor(
    socket: Socket,
    private readonly mac: ConnectedMac,
  ) {
    this.#socket = socket;
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      this.#rest += chunk;
      const lines = this.#rest.split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(line);
    });
    socket.on("close", () => mac.onClose(this));
    socket.on("error", () => socket.destroy());
  }

  #receive(line: string): void {
    const request = JSON.parse(line);
    const { id, method, params = {} } = request;
    if (++this.#outstanding > MAX_OUTSTANDING) {
      this.#outstanding--;
      this.#write({ id, error: { code: -32000, message: "Server busy" } });
      return;
    }
    const run = async () => {
      try {
        this.#write({ id, result: await this.#handle(method, params) });
        if (method === "watch.subscribe") this.#replay(params);
      } catch (error) {
        const failure =
          error instanceof RpcFailure ? error : new RpcFailure(-32603, "Internal error", `${error}`);
        const { code, message, data } = failure;
        this.#write({ id, error: { code, message, ...(data !== undefined && { data }) } });
      } finally {
        this.#outstanding--;
      }
    };
    // Changes run one after the other. Reads overtake them.
    if (READS.includes(method)) void run();
    else this.#lane = this.#lane.then(run);
  }

  async #handle(method: Method, params: Record<string, unknown>): Promise<unknown> {
    if (!METHODS.includes(method)) throw new RpcFailure(-32601, "Method not found", method);
    if (this.#isPoisoned && !READS.includes(method)) {
      throw new RpcFailure(-32004, "Mutation lane blocked", deliveryData("not_started"));
    }
    const result = await this.mac.handle(method, params, () => {
      this.#isPoisoned = true;
    });
    if (method === "watch.subscribe") {
      this.#watch = ++this.#subscriptions;
      return { subscription: this.#watch, buffer_limit: 256 };
    }
    if (method === "bridge.events.subscribe") {
      this.#events = ++this.#subscriptions;
      return { subscription: this.#events, buffer_limit: 256, resumable: false };
    }
    return result;
  }

  /** A watch with a cursor begins with the rows after it (docs/rpc.md, watch.subscribe). */
  #replay({ since_rowid: since }: { since_rowid?: number }): void {
    if (since === undefined || since === 0) return;
    for (const row of this.mac.rows) if (row.id > since) this.message(row);
  }

  #write(message: Record<string, unknown>): void {
    const line = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    if (!this.mac.knobs.cutLines) return void this.#socket.write(line);
    const middle = Math.floor(line.length / 2);
    this.#socket.write(line.slice(0, middle));
    setTimeout(() => this.#socket.write(line.slice(middle)), 5);
  }

  message(row: Row): void {
    // A row that Messages has not joined to a chat is retried and then dropped (Sources/IMsgCore/MessageWatcher.swift).
    if (this.#watch === null || row.chat === null) return;
    this.#write({
      method: "message",
      params: { subscription: this.#watch, message: { ...toMessage(row), cursor: row.id } },
    });
  }

  overflow(resume_after_rowid: number): void {
    const params = {
      subscription: this.#watch,
      resume_after_rowid,
      reason: "buffer_limit_exceeded",
      terminal: true,
    };
    this.#watch = null;
    this.#write({ method: "watch.overflow", params });
  }

  /** Ends the watch with an error (Sources/imsg/RPCServer+WatchHandlers.swift). */
  breakWatch(): void {
    const params = { subscription: this.#watch, error: { message: "disk I/O error" } };
    this.#watch = null;
    this.#write({ method: "error", params });
  }

  /** Ends the events of the bridge (Sources/imsg/RPCServer+BridgeEventHandlers.swift). */
  breakEvents(how: "overflow" | "error"): void {
    const params =
      how === "overflow"
        ? { reason: "buffer_limit_exceeded", resumable: false }
        : { error: { code: "event_log_read_failed", message: "the log can't be read" } };
    const subscription = this.#events;
    this.#events = null;
    this.#write({ method: `bridge.events.${how}`, params: { subscription, ...params, terminal: true } });
  }

  typing(chatGuid: string, event: string): void {
    if (this.#events === null) return;
    const params = {
      subscription: this.#events,
      event: { event, ts: new Date().toISOString(), data: { chatGuid } },
    };
    this.#write({ method: "bridge.event", params });
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

import type { Socket } from "node:net";
import {
  failed,
  METHODS,
  type Method,
  READS,
  RpcFailure,
  WITHOUT_BRIDGE,
  WITHOUT_DATABASE,
} from "@/lib/testing/fake-mac-methods";
import { type MacKnobs, type Row, toMessage } from "@/lib/testing/fake-mac-store";

const MAX_OUTSTANDING = 128;

/** The Mac that a process of imsg runs on. */
interface ConnectedMac {
  knobs: MacKnobs;
  calls: { method: string; params: Record<string, unknown> }[];
  /** Answers a method. `poison` = further changes of the process fail. */
  handle(method: Method, params: Record<string, unknown>, poison: () => void): Promise<unknown>;
  onClose(connection: MacConnection): void;
}

/** A process of imsg: JSON-RPC in lines, changes one after the other, reads at any time. */
export class MacConnection {
  readonly #socket: Socket;
  #rest = "";
  #lane: Promise<void> = Promise.resolve();
  #outstanding = 0;
  #isWatching = false;
  #hasEvents = false;
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
      } catch (error) {
        const failure = error instanceof RpcFailure ? error : new RpcFailure(-32603, String(error));
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

  async #handle(method: Method, input: unknown): Promise<unknown> {
    const schema = METHODS[method];
    if (schema === undefined) throw new RpcFailure(-32601, `unknown method ${method}`);
    const parsed = schema.safeParse(input);
    if (!parsed.success) throw new RpcFailure(-32602, parsed.error.issues[0]?.message ?? "invalid params");
    const params = parsed.data as Record<string, unknown>;
    if (!this.mac.knobs.database && !WITHOUT_DATABASE.includes(method)) {
      throw new RpcFailure(-32002, "the Messages database is unavailable");
    }
    if (!this.mac.knobs.bridge && !WITHOUT_BRIDGE.includes(method)) {
      throw new RpcFailure(-32003, "the bridge is not running");
    }
    if (this.#isPoisoned && !READS.includes(method)) {
      throw new RpcFailure(-32004, "an earlier operation is in flight", failed("not_started"));
    }
    this.mac.calls.push({ method, params });
    if (method === "watch.subscribe") this.#isWatching = true;
    if (method === "bridge.events.subscribe") this.#hasEvents = true;
    if (method.endsWith("subscribe")) return { subscription: ++this.#subscriptions, buffer_limit: 256 };
    return this.mac.handle(method, params, () => {
      this.#isPoisoned = true;
    });
  }

  #write(message: Record<string, unknown>): void {
    const line = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    if (!this.mac.knobs.cutLines) return void this.#socket.write(line);
    const middle = Math.floor(line.length / 2);
    this.#socket.write(line.slice(0, middle));
    setTimeout(() => this.#socket.write(line.slice(middle)), 5);
  }

  message(row: Row): void {
    if (!this.#isWatching) return;
    this.#write({
      method: "message",
      params: { subscription: 1, message: { ...toMessage(row), cursor: row.id } },
    });
  }

  overflow(): void {
    this.#isWatching = false;
    const params = {
      subscription: 1,
      resume_after_rowid: 0,
      reason: "buffer_limit_exceeded",
      terminal: true,
    };
    this.#write({ method: "watch.overflow", params });
  }

  typing(chatGuid: string, event: string): void {
    if (!this.#hasEvents) return;
    const params = { subscription: 2, event: { event, ts: new Date().toISOString(), data: { chatGuid } } };
    this.#write({ method: "bridge.event", params });
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

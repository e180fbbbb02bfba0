import "server-only";
import type { Socket } from "node:net";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { STATUS } from "@/lib/adapters/transports/smpp/command-status";
import {
  type Command,
  commandOf,
  decodePdu,
  encodePdu,
  type Fields,
  isResponse,
  type Pdu,
  responseTo,
  UnreadablePdu,
} from "@/lib/adapters/transports/smpp/pdu";
import { createFrameSplitter } from "@/lib/adapters/transports/smpp/split-frames";
import { log } from "@/lib/platform/telemetry/log";

const MAX_SEQUENCE = 0x7fffffff;

/** Answers deliveries with a command status. */
export type OnDelivery = (pdu: Pdu) => Promise<number>;

interface Waiting {
  resolve(response: Pdu): void;
  fail(error: AdapterError): void;
}

/** Reads and writes PDUs on a socket, and answers what the SMS center asks: enquire_link, unbind, deliveries. */
export class PduConnection {
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #onDelivery: OnDelivery;
  readonly #splitter = createFrameSplitter();
  readonly #waiting = new Map<number, Waiting>();
  #sequence = 0;

  constructor(socket: Socket, onDelivery: OnDelivery) {
    this.#socket = socket;
    this.#onDelivery = onDelivery;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => log.warn({ err: error }, "an SMPP connection failed"));
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        for (const { fail } of this.#waiting.values()) {
          fail(new AdapterError("unknown_outcome", "the connection ended before the response"));
        }
        resolve();
      });
    });
  }

  /**
   * Sends a request and returns its response, whatever its status. Throws AdapterError: `line_down` when the connection
   * was closed before, `unknown_outcome` when it ended before the response or the response is late, `rejected` for
   * fields that can't be encoded.
   */
  request(command: Command, fields: Fields, timeoutMs: number): Promise<Pdu> {
    return new Promise((resolve, reject) => {
      if (!this.#socket.writable) throw new AdapterError("line_down", "the SMS center is not connected");
      const number = this.#nextSequence();
      const bytes = encode(command, fields, number);
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(number);
      };
      const fail = (error: AdapterError) => {
        end();
        reject(error);
      };
      const timer = setTimeout(
        () => fail(new AdapterError("unknown_outcome", "the SMS center did not respond in time")),
        timeoutMs,
      );
      this.#waiting.set(number, {
        fail,
        resolve(response) {
          end();
          resolve(response);
        },
      });
      this.#socket.write(bytes);
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #nextSequence(): number {
    this.#sequence = this.#sequence === MAX_SEQUENCE ? 1 : this.#sequence + 1;
    return this.#sequence;
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#splitter.push(chunk)) this.#receiveFrame(frame);
    } catch (error) {
      // The stream is at an unknown position, so the connection is of no further use.
      log.warn({ err: error }, "an SMPP connection failed");
      this.#socket.destroy();
    }
  }

  #receiveFrame(frame: Buffer): void {
    let pdu: Pdu;
    try {
      pdu = decodePdu(frame);
    } catch (error) {
      if (!(error instanceof UnreadablePdu)) throw error;
      const { commandId, sequence, fields } = error;
      const command = commandOf(commandId);
      if (command === "deliver_sm" || command === "data_sm") {
        this.#receive({ command, commandId, status: 0, sequence, fields, unreadable: frame });
        return;
      }
      log.warn({ err: error }, "an SMPP message that can't be read was refused");
      this.#answer(error, STATUS.invalidLength);
      return;
    }
    this.#receive(pdu);
  }

  #receive(pdu: Pdu): void {
    if (isResponse(pdu)) {
      this.#waiting.get(pdu.sequence)?.resolve(pdu);
      return;
    }
    if (pdu.command === "deliver_sm" || pdu.command === "data_sm") {
      this.#onDelivery(pdu)
        .catch((error: unknown) => {
          log.warn({ err: error }, "an SMPP delivery could not be handled and is requested again");
          return STATUS.temporaryError;
        })
        .then((status) => this.#answer(pdu, status));
      return;
    }
    // The only command without a response.
    if (pdu.command === "alert_notification") return;
    const isKnown = pdu.command === "enquire_link" || pdu.command === "unbind";
    this.#answer(pdu, isKnown ? STATUS.ok : STATUS.invalidCommand);
    if (pdu.command === "unbind") this.#socket.end(() => this.#socket.destroy());
  }

  #answer({ commandId, sequence }: Pick<Pdu, "commandId" | "sequence">, status: number): void {
    if (this.#socket.writable) this.#socket.write(encodePdu(responseTo(commandId), {}, { sequence, status }));
  }
}

function encode(command: Command, fields: Fields, sequence: number): Buffer {
  try {
    return encodePdu(command, fields, { sequence });
  } catch (error) {
    throw new AdapterError("rejected", `the message can't be encoded: ${String(error)}`);
  }
}

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

/** A connection that carries PDUs. */
export interface PduConnection {
  /**
   * Sends a request and returns its response, whatever its status. Throws AdapterError: `line_down` when the connection
   * was closed before, `unknown_outcome` when it ended before the response or the response is late, `rejected` for
   * fields that can't be encoded.
   */
  request(command: Command, fields: Fields, timeoutMs: number): Promise<Pdu>;
  readonly closed: Promise<void>;
  destroy(): void;
}

/** Answers deliveries with a command status. */
export type OnDelivery = (pdu: Pdu) => Promise<number>;

interface Waiting {
  resolve(response: Pdu): void;
  fail(error: AdapterError): void;
}

/** Reads and writes PDUs on a socket, and answers what the SMS center asks: enquire_link, unbind, deliveries. */
export function openPduConnection(socket: Socket, onDelivery: OnDelivery): PduConnection {
  const splitter = createFrameSplitter();
  const waiting = new Map<number, Waiting>();
  let sequence = 0;

  function write(command: Command, fields: Fields, header: { sequence: number; status?: number }): void {
    if (socket.writable) socket.write(encodePdu(command, fields, header));
  }

  function answer(pdu: Pick<Pdu, "commandId" | "sequence">, status: number): void {
    write(responseTo(pdu.commandId), {}, { sequence: pdu.sequence, status });
  }

  function receive(pdu: Pdu): void {
    if (isResponse(pdu)) {
      waiting.get(pdu.sequence)?.resolve(pdu);
      return;
    }
    if (pdu.command === "deliver_sm" || pdu.command === "data_sm") {
      onDelivery(pdu)
        .catch((error: unknown) => {
          log.warn({ err: error }, "an SMPP delivery could not be handled and is requested again");
          return STATUS.temporaryError;
        })
        .then((status) => answer(pdu, status));
      return;
    }
    // The only command without a response.
    if (pdu.command === "alert_notification") return;
    const isKnown = pdu.command === "enquire_link" || pdu.command === "unbind";
    answer(pdu, isKnown ? STATUS.ok : STATUS.invalidCommand);
    if (pdu.command === "unbind") socket.end(() => socket.destroy());
  }

  function receiveFrame(frame: Buffer): void {
    let pdu: Pdu;
    try {
      pdu = decodePdu(frame);
    } catch (error) {
      if (!(error instanceof UnreadablePdu)) throw error;
      const { commandId, sequence, fields } = error;
      const command = commandOf(commandId);
      if (command === "deliver_sm" || command === "data_sm") {
        receive({ command, commandId, status: 0, sequence, fields, unreadable: frame });
        return;
      }
      log.warn({ err: error }, "an SMPP message that can't be read was refused");
      answer(error, STATUS.invalidLength);
      return;
    }
    receive(pdu);
  }

  socket.on("data", (chunk: Buffer) => {
    try {
      for (const frame of splitter.push(chunk)) receiveFrame(frame);
    } catch (error) {
      // The stream is at an unknown position, so the connection is of no further use.
      log.warn({ err: error }, "an SMPP connection failed");
      socket.destroy();
    }
  });
  socket.on("error", (error) => log.warn({ err: error }, "an SMPP connection failed"));
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      for (const { fail } of waiting.values()) {
        fail(new AdapterError("unknown_outcome", "the connection ended before the response"));
      }
      resolve();
    });
  });

  function nextSequence(): number {
    sequence = sequence === MAX_SEQUENCE ? 1 : sequence + 1;
    return sequence;
  }

  return {
    closed,
    destroy: () => void socket.destroy(),
    request(command, fields, timeoutMs) {
      return new Promise((resolve, reject) => {
        if (!socket.writable) throw new AdapterError("line_down", "the SMS center is not connected");
        const number = nextSequence();
        const bytes = encode(command, fields, number);
        const end = () => {
          clearTimeout(timer);
          waiting.delete(number);
        };
        const fail = (error: AdapterError) => {
          end();
          reject(error);
        };
        const timer = setTimeout(
          () => fail(new AdapterError("unknown_outcome", "the SMS center did not respond in time")),
          timeoutMs,
        );
        waiting.set(number, {
          fail,
          resolve(response) {
            end();
            resolve(response);
          },
        });
        socket.write(bytes);
      });
    },
  };
}

function encode(command: Command, fields: Fields, sequence: number): Buffer {
  try {
    return encodePdu(command, fields, { sequence });
  } catch (error) {
    throw new AdapterError("rejected", `the message can't be encoded: ${String(error)}`);
  }
}

import "server-only";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { PDU, type Pdu, Session } from "smpp";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { createTurns } from "@/lib/adapters/transports/smpp/send-turns";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";
import { connectToVendor } from "@/lib/adapters/transports/vendor-network";
import { createBackoff } from "@/lib/platform/backoff";
import { log } from "@/lib/platform/log";

const RESPONSE_MS = 20_000;
/** The response to a submit may take longer, because giving up makes the outcome unknown. */
const SUBMIT_RESPONSE_MS = 60_000;
const CLOSE_MS = 3000;
const RECONNECT_MS = { leastMs: 500, mostMs: 15_000 };
/** SMPP 3.4, 5.1.3 command_status. */
const ESME_RTHROTTLED = 0x58;
const ESME_RMSGQFUL = 0x14;
const ESME_RX_T_APPN = 0x64;
const THROTTLED_PAUSE_MS = 1000;

/** Receives the state and the deliveries of a bind. */
export interface BindListener {
  /** The bind is up, or was lost or refused. */
  onState(isUp: boolean): void;
  /** Handles a deliver_sm and returns the command status of its response. */
  onDeliver(pdu: Pdu): Promise<number>;
  /** The connection ended: responses that were written may not have arrived. */
  onClose(): void;
}

export interface SmppBind {
  /**
   * Sends a submit_sm when its turn comes and returns the response, whatever its status. A throttled one is sent again.
   * Throws AdapterError: `line_down` and `rate_limited` when nothing was sent, `unknown_outcome` when the connection
   * ended before the response, `rejected` for fields that SMPP can't carry.
   */
  submit(fields: Record<string, unknown>, since: number, signal: AbortSignal): Promise<Pdu>;
  /** Waits for responses in progress, unbinds and closes. */
  stop(): Promise<void>;
}

/** The SMS center refused a bind with a command status (SMPP 3.4, 5.1.3). */
export class BindRefused extends Error {
  constructor(readonly status: number) {
    super(`the SMS center refused the bind with status 0x${status.toString(16)}`);
  }
}

/** Keeps a transceiver bind with an SMS center open, and reconnects with growing pauses. */
export function openBind(settings: SmppSettings, listener: BindListener): SmppBind {
  const turns = createTurns({ window: settings.window, perSecond: settings.throughput });
  const stopping = new AbortController();
  const inProgress = new Set<Promise<unknown>>();
  let current: Connection | null = null;

  async function keepBound(): Promise<void> {
    const backoff = createBackoff(RECONNECT_MS);
    while (!stopping.signal.aborted) {
      try {
        const connection = await connect(settings, listener);
        if (stopping.signal.aborted) {
          await connection.close();
          break;
        }
        current = connection;
        backoff.reset();
        turns.open(true);
        listener.onState(true);
        await connection.closed;
      } catch (error) {
        log.warn({ err: error, host: settings.host, systemId: settings.system_id }, "an SMPP bind failed");
      }
      current = null;
      turns.open(false);
      if (stopping.signal.aborted) break;
      listener.onState(false);
      await sleep(backoff.next(), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function submitInTurn(fields: Record<string, unknown>, since: number, signal: AbortSignal) {
    for (;;) {
      await turns.take(since, signal);
      let response: Pdu;
      try {
        if (current === null) throw new AdapterError("line_down", "the SMS center is not connected");
        response = await current.request("submit_sm", fields, SUBMIT_RESPONSE_MS);
      } finally {
        turns.release();
      }
      const isThrottled = [ESME_RTHROTTLED, ESME_RMSGQFUL].includes(response.command_status);
      if (!isThrottled || signal.aborted) return response;
      turns.pause(THROTTLED_PAUSE_MS);
    }
  }

  const keeping = keepBound();
  return {
    submit(fields, since, signal) {
      const submitting = submitInTurn(fields, since, signal);
      const ended = submitting.catch(() => undefined).finally(() => inProgress.delete(ended));
      inProgress.add(ended);
      return submitting;
    },
    async stop() {
      stopping.abort();
      await Promise.race([Promise.all(inProgress), sleep(CLOSE_MS)]);
      turns.open(false);
      await current?.close();
      await keeping;
    },
  };
}

/** Binds once and unbinds. What the SMS center delivers meanwhile is refused, so that it is delivered again. */
export async function bindOnce(settings: SmppSettings): Promise<void> {
  const connection = await connect(settings, {
    onState: () => undefined,
    onDeliver: async () => ESME_RX_T_APPN,
    onClose: () => undefined,
  });
  await connection.close();
}

interface Connection {
  /** Sends a request and returns its response. Throws AdapterError. */
  request(command: string, fields: Record<string, unknown>, timeoutMs: number): Promise<Pdu>;
  closed: Promise<void>;
  close(): Promise<void>;
}

/** Connects and binds. Throws BindRefused or the network's error. */
async function connect(settings: SmppSettings, listener: BindListener): Promise<Connection> {
  const session = new Session({ socket: await openSocket(settings) });
  const pending = new Set<(error: AdapterError) => void>();
  const closed = new Promise<void>((resolve) => {
    session.on("close", () => {
      for (const fail of pending) {
        fail(new AdapterError("unknown_outcome", "the connection ended before the response"));
      }
      listener.onClose();
      resolve();
    });
  });
  // A PDU that can't be read leaves the stream at an unknown position, so the connection is of no further use.
  session.on("error", (error: Error) => {
    log.warn({ err: error, host: settings.host }, "an SMPP connection failed");
    session.destroy();
  });
  session.on("enquire_link", (pdu: Pdu) => session.send(pdu.response()));
  session.on("unbind", (pdu: Pdu) => {
    session.send(pdu.response());
    session.close();
  });
  session.on("unknown", (pdu: Pdu) => session.send(pdu.response()));
  for (const command of ["deliver_sm", "data_sm"]) {
    session.on(command, (pdu: Pdu) => void answerDelivery(session, pdu, listener));
  }

  function request(command: string, fields: Record<string, unknown>, timeoutMs: number): Promise<Pdu> {
    return new Promise((resolve, reject) => {
      const fail = (error: AdapterError) => {
        pending.delete(fail);
        clearTimeout(timer);
        reject(error);
      };
      const timer = setTimeout(
        () => fail(new AdapterError("unknown_outcome", "the SMS center did not respond in time")),
        timeoutMs,
      );
      pending.add(fail);
      try {
        const isSent = session.send(new PDU(command, fields), (response) => {
          pending.delete(fail);
          clearTimeout(timer);
          resolve(response);
        });
        if (!isSent) fail(new AdapterError("line_down", "the SMS center is not connected"));
      } catch (error) {
        fail(new AdapterError("rejected", `the message can't be encoded: ${String(error)}`));
      }
    });
  }

  const enquiring = setInterval(() => {
    request("enquire_link", {}, RESPONSE_MS).catch(() => session.destroy());
  }, settings.enquire_seconds * 1000);
  closed.then(() => clearInterval(enquiring));

  try {
    const bound = await request("bind_transceiver", bindFields(settings), RESPONSE_MS);
    if (bound.command_status !== 0) {
      throw new BindRefused(bound.command_status);
    }
  } catch (error) {
    session.destroy();
    throw error;
  }
  return {
    request,
    closed,
    async close() {
      await request("unbind", {}, CLOSE_MS).catch(() => undefined);
      session.destroy();
      await closed;
    },
  };
}

async function answerDelivery(session: Session, pdu: Pdu, listener: BindListener): Promise<void> {
  const command_status = await listener.onDeliver(pdu);
  session.send(pdu.response({ command_status }));
}

function bindFields({ system_id, password, system_type }: SmppSettings): Record<string, unknown> {
  return { system_id, password, system_type, interface_version: 0x34 };
}

async function openSocket({ host, port, tls: secure, ca }: SmppSettings) {
  const socket = await connectToVendor(host, port);
  if (secure === "off") return socket;
  const encrypted = tls.connect({ socket, servername: host, ...(ca !== undefined && { ca }) });
  try {
    await once(encrypted, "secureConnect", { signal: AbortSignal.timeout(RESPONSE_MS) });
  } catch (error) {
    encrypted.destroy();
    throw error;
  }
  return encrypted;
}

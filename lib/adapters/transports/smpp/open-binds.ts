import "server-only";
import { once } from "node:events";
import type { Socket } from "node:net";
import tls from "node:tls";
import { STATUS } from "@/lib/adapters/transports/smpp/command-status";
import { BindRefused } from "@/lib/adapters/transports/smpp/explain-bind";
import type { Command, Fields, Pdu } from "@/lib/adapters/transports/smpp/pdu";
import { type OnDelivery, PduConnection } from "@/lib/adapters/transports/smpp/pdu-connection";
import type { SmppSettings } from "@/lib/adapters/transports/smpp/smpp-settings";
import { connectToVendor } from "@/lib/adapters/transports/vendor-network";

const RESPONSE_MS = 20_000;
const CLOSE_MS = 3000;
const SMPP_3_4 = 0x34;

/** The binds of each setting. The first one sends. */
const COMMANDS: Readonly<Record<SmppSettings["bind"], readonly Command[]>> = {
  transceiver: ["bind_transceiver"],
  transmitter_receiver: ["bind_transmitter", "bind_receiver"],
};

/** The binds with an SMS center, which end together. */
export interface Binds {
  /** Sends a request over the bind that sends, see PduConnection. */
  request(command: Command, fields: Fields, timeoutMs: number): Promise<Pdu>;
  /** Resolves once every connection has ended. */
  readonly closed: Promise<void>;
  /** Unbinds and closes. */
  close(): Promise<void>;
}

/** Connects and binds, in the way that the settings say. Throws BindRefused, AdapterError or the network's error. */
export async function openBinds(settings: SmppSettings, onDelivery: OnDelivery): Promise<Binds> {
  const binds: PduConnection[] = [];
  try {
    for (const command of COMMANDS[settings.bind]) binds.push(await openBind(command, settings, onDelivery));
  } catch (error) {
    for (const bind of binds) bind.destroy();
    throw error;
  }
  const [sending = binds[0]] = binds;
  const endAll = () => {
    for (const bind of binds) bind.destroy();
  };
  for (const bind of binds) bind.closed.then(endAll);
  return {
    request: (command, fields, timeoutMs) => {
      if (sending === undefined) throw new Error("there is no bind");
      return sending.request(command, fields, timeoutMs);
    },
    closed: Promise.all(binds.map(({ closed }) => closed)).then(() => undefined),
    async close() {
      await Promise.all(binds.map((bind) => bind.request("unbind", {}, CLOSE_MS).catch(() => undefined)));
      endAll();
      await Promise.all(binds.map(({ closed }) => closed));
    },
  };
}

async function openBind(
  command: Command,
  settings: SmppSettings,
  onDelivery: OnDelivery,
): Promise<PduConnection> {
  const connection = new PduConnection(await openSocket(settings), onDelivery);
  try {
    const { system_id, password, system_type } = settings;
    const fields = { system_id, password, system_type, interface_version: SMPP_3_4 };
    const { status } = await connection.request(command, fields, RESPONSE_MS);
    if (status !== STATUS.ok) throw new BindRefused(status);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  const enquiring = setInterval(() => {
    connection.request("enquire_link", {}, RESPONSE_MS).catch(() => connection.destroy());
  }, settings.enquire_seconds * 1000);
  connection.closed.then(() => clearInterval(enquiring));
  return connection;
}

async function openSocket({ host, port, tls: secure, ca }: SmppSettings): Promise<Socket> {
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

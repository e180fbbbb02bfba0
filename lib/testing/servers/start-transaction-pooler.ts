import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";

/** Which free server connection the next transaction gets: the last used one, or each in turn. */
type ServerOrder = "last used" | "in turn";

export interface TransactionPooler {
  /** The database's URL with the pooler's host and port. */
  url: string;
  /** The connections to the server, free or in use. */
  readonly servers: number;
  close(): Promise<void>;
}

const READY = "Z".charCodeAt(0);
const IDLE = "I".charCodeAt(0);
const TERMINATE = "X".charCodeAt(0);
/** The end of a message's type and length. */
const HEAD_BYTES = 5;

/**
 * Behaves like PgBouncer with pool_mode = transaction in front of the database: a client gets a connection to the server
 * for each transaction, opened when none is free. Any password is accepted, and settings at startup are dropped.
 */
export async function startTransactionPooler(
  databaseUrl: string,
  order: ServerOrder,
): Promise<TransactionPooler> {
  const free: Socket[] = [];
  const open = new Set<Socket>();
  const clients = new Set<Socket>();

  async function acquire(): Promise<Socket> {
    const server = order === "last used" ? free.pop() : free.shift();
    if (server !== undefined) return server;
    // The driver signs in. Afterwards its connection carries the messages of clients.
    const client = new pg.Client(databaseUrl);
    client.on("error", () => undefined);
    await client.connect();
    const socket = (client as pg.Client & { connection: { stream: Socket } }).connection.stream;
    socket.removeAllListeners("data");
    open.add(socket);
    return socket;
  }

  /** Forwards the messages of one client, in their order. */
  function serve(client: Socket): void {
    let server: Socket | null = null;
    const split = splitMessages();
    const fromServer = splitMessages();

    function answer(chunk: Buffer): void {
      for (const message of fromServer(chunk)) {
        client.write(message);
        if (message[0] !== READY || message[HEAD_BYTES] !== IDLE || server === null) continue;
        server.off("data", answer);
        free.push(server);
        server = null;
      }
    }

    let before = Promise.resolve();
    client.on("data", (chunk: Buffer) => {
      before = before.then(async () => {
        for (const message of split(chunk)) {
          if (message[0] === TERMINATE) return void client.end();
          if (server === null) {
            server = await acquire();
            server.on("data", answer);
          }
          server.write(message);
        }
      });
    });
  }

  const listener = createServer((client) => {
    clients.add(client);
    client.on("error", () => undefined);
    client.once("data", () => {
      serve(client);
      client.write(GREETING);
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");

  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.toString(),
    get servers() {
      return open.size;
    },
    async close() {
      for (const client of clients) client.destroy();
      for (const server of open) server.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}

/** "Signed in" and "ready". */
const GREETING = Buffer.from([..."R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I"].map((letter) => letter.charCodeAt(0)));

/** Returns a function that cuts a stream of chunks into messages. */
function splitMessages(): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= HEAD_BYTES) {
      const bytes = 1 + rest.readInt32BE(1);
      if (rest.length < bytes) break;
      messages.push(rest.subarray(0, bytes));
      rest = rest.subarray(bytes);
    }
    return messages;
  };
}

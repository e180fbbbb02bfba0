import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { TEST_CERTIFICATE } from "@/lib/testing/servers/test-certificate";

/** An email as the server received it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** The whole message: headers, an empty line, the body. */
  raw: string;
  /** Whether the connection was encrypted. */
  secure: boolean;
}

export interface MailServer {
  /** `smtp://` or `smtps://` without a user. */
  url: string;
  port: number;
  received: ReceivedMail[];
  close(): Promise<void>;
}

interface MailServerOptions {
  port?: number;
  /** none: no STARTTLS; starttls; smtps: TLS from the first byte. */
  tls?: "none" | "starttls" | "smtps";
  /** Requires this password of the user `trunkline`. */
  password?: string;
  /** The reply to a recipient, such as 550 or 554 with a text; 0 accepts it. */
  onRecipient?(address: string): number | { status: number; text: string };
  /** Refuses the sender with this text. */
  refusedSender?: string;
  /** Runs before the reply to a message. A returned status refuses the message. */
  onMessage?(count: number): Promise<number> | number;
}

/** Starts a mail server on loopback that keeps what it accepts. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { tls = "none", password, onRecipient = () => 0, onMessage = () => 0 } = options;
  const received: ReceivedMail[] = [];
  let messages = 0;
  const server = new SMTPServer({
    secure: tls === "smtps",
    ...(tls === "none" ? {} : TEST_CERTIFICATE),
    disabledCommands: tls === "none" ? ["STARTTLS"] : [],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth(auth, _session, callback) {
      if (auth.username === "trunkline" && auth.password === password) callback(null, { user: "trunkline" });
      else callback(refusal(535, "Authentication failed"));
    },
    onRcptTo({ address }, _session, callback) {
      const reply = onRecipient(address);
      const { status, text } = typeof reply === "number" ? { status: reply, text: "No such user" } : reply;
      callback(status === 0 ? null : refusal(status, text));
    },
    onMailFrom(_address, _session, callback) {
      callback(options.refusedSender === undefined ? null : refusal(550, options.refusedSender));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const status = await onMessage(++messages);
        if (status !== 0) return callback(refusal(status, "Try again later"));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
          secure: session.secure === true,
        });
        callback(null, "accepted");
      });
    },
  });
  // Clients that end a connection early, as some tests do.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${tls === "smtps" ? "smtps" : "smtp"}://127.0.0.1:${port}`,
    port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** The header lines of a message by lower-case name, unfolded. */
export function headersOf({ raw }: ReceivedMail): Map<string, string> {
  const [head = ""] = raw.split("\r\n\r\n", 1);
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
    }),
  );
}

/** Decodes the quoted-printable words of a header (RFC 2047). */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?UTF-8\?Q\?/g, "")
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_word, encoded: string) =>
      Buffer.from(encoded.replaceAll("_", " ").replace(/=([0-9A-F]{2})/g, (_byte, hex: string) => `%${hex}`))
        .toString("utf8")
        .replace(/(?:%[0-9A-F]{2})+/g, decodeURIComponent),
    );
}

/** The text of a message without its transfer encoding. */
export function textOf({ raw }: ReceivedMail): string {
  const bytes = raw
    .replace(/=\r\n/g, "")
    .replace(/(?:=[0-9A-F]{2})+/g, (encoded) =>
      Buffer.from(encoded.replaceAll("=", ""), "hex").toString("utf8"),
    );
  return bytes.replaceAll("\r\n", "\n");
}

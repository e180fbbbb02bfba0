import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import type { Check } from "@/scripts/cli/conform/check";
import { type ConformOptions, runConform } from "@/scripts/cli/conform/run-conform";

/** A whole run against a server of a test, on machines that do other work. */
export const RUN_MS = 120_000;
export const TOKEN = "tl_sandbox_secret_token";
export const LINE = "+12025550100";
export const NAMED = "+15550100101";
export const OTHER = "+15550100202";
export const CHAT = "01234567-89ab-7def-8123-456789abcdef";
export const MESSAGE = "11234567-89ab-7def-8123-456789abcdef";

const closing: (() => unknown)[] = [];

afterEach(closeServers);

/** Ends all servers, as the end of each test does. */
export function closeServers(): void {
  for (const close of closing.splice(0)) close();
}

/** Starts a server. Returns its URL. */
export async function listen(respond: http.RequestListener): Promise<string> {
  const server = http.createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A request that a server got. */
interface Asked {
  method: string;
  path: string;
  body: string;
  authorization: string | undefined;
}
export type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** A server that answers with what a test says, and otherwise like one that has nothing but a line. */
export async function serve(answer: (asked: Asked) => Answer | undefined) {
  const asked: Asked[] = [];
  const url = await listen(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, body, authorization: headers.authorization };
    asked.push(one);
    const [status, value, more] = answer(one) ?? fallback(one);
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(typeof value === "string" ? value : JSON.stringify(value));
  });
  return { url, asked };
}

function fallback({ method, path }: Asked): Answer {
  if (method === "GET" && path === "/v3/phone_numbers") {
    return [200, { phone_numbers: [{ id: MESSAGE, phone_number: LINE }] }];
  }
  return [404, { success: false, error: { code: 1003, status: 404, message: "No such endpoint" } }];
}

/** The chat with the named person, and otherwise what a test says. */
export const chatThen = (answer: (asked: Asked) => Answer | undefined, handle = NAMED) => {
  const chat = {
    id: CHAT,
    handles: [
      { handle, is_me: false },
      { handle: LINE, is_me: true },
    ],
  };
  return (asked: Asked): Answer | undefined => {
    const { method, path } = asked;
    const isOpening = method === "POST" && path === "/v3/chats";
    if (isOpening) return [201, { chat: { ...chat, message: { id: MESSAGE } } }];
    if (method === "GET" && path === `/v3/chats/${CHAT}`) return [200, chat];
    return path === "/v3/phone_numbers" ? undefined : answer(asked);
  };
};

export const conform = (options: Partial<ConformOptions> & { baseUrl: string }): Promise<Check[]> =>
  runConform({ token: TOKEN, phones: false, timeoutSeconds: 20, waitSeconds: 0.2, ...options });
export const writesOf = (asked: readonly Asked[]) => asked.filter(({ method }) => method !== "GET");

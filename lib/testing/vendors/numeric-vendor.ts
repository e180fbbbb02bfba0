import { createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { VendorRequest } from "@/lib/adapters/transports/callback";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";

/** A message in the vendor's format: with a number as its id and numeric statuses. */
interface VendorMessage {
  number: number;
  id: string;
  to: string;
  service: string;
}

/** 1 = accepted, 2 = delivered, 3 = read. */
type Status = 1 | 2 | 3;

const RETRY_MS = 20;
const PAGE_REPORTS = 2;

/** A message from a person, as reported by a poll or a callback. */
interface InboundReport {
  number: number;
  from: string;
  text: string;
  at: number;
}

/** The vendor's reports, oldest first. A poll passes the position to read from. */
type Report = { receipt: { number: number; status: Status; at: number } } | { message: InboundReport };

/** Signs a callback body with HMAC-SHA256 in hex, like the vendor. */
export function signCallback(secret: string, body: string): Record<string, string> {
  return { "x-vendor-signature": createHmac("sha256", secret).update(body).digest("hex") };
}

/** A callback of the vendor with a valid signature. */
export function signedCallback(secret: string, payload: unknown): VendorRequest {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  return {
    method: "POST",
    url: "https://trunkline.test/inbound",
    headers: { "content-type": "application/json", ...signCallback(secret, body) },
    body: Buffer.from(body),
  };
}

/**
 * A vendor of SMS-like messages on loopback that differs from the simulator in every respect: HTTP in both directions,
 * numeric message ids, and receipts that are posted to a callback URL with an HMAC and repeated until the response is
 * 200. All reports can also be polled, two at a time.
 */
export async function startNumericVendor(secret: string) {
  const behaviours = new Map<string, PeerBehavior>();
  const messages = new Map<string, VendorMessage>();
  const unanswered = new Set<{ number: number; status: Status }>();
  let deliver: ((request: VendorRequest) => Promise<boolean>) | null = null;
  const reports: Report[] = [];
  const polls: (string | null)[] = [];
  let failingPolls = 0;
  let next = 1000;

  function addReceipt(number: number, status: Status): void {
    unanswered.add({ number, status });
    reports.push({ receipt: { number, status, at: 1_700_000_000 } });
  }

  function readReports(after: number) {
    const page = reports.slice(after, after + PAGE_REPORTS);
    const end = after + page.length;
    return {
      receipts: page.flatMap((report) => ("receipt" in report ? report.receipt : [])),
      messages: page.flatMap((report) => ("message" in report ? report.message : [])),
      next: end,
      more: end < reports.length,
    };
  }

  function take(id: string, to: string, service: string): VendorMessage {
    const known = messages.get(id);
    if (known !== undefined) return known;
    const message = { number: ++next, id, to, service };
    messages.set(id, message);
    addReceipt(message.number, 2);
    return message;
  }

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (request.url?.startsWith("/reports")) {
      const after = new URL(request.url, "http://vendor").searchParams.get("after");
      polls.push(after);
      if (failingPolls > 0) {
        failingPolls--;
        return answer(503, {});
      }
      return answer(200, readReports(Number(after ?? 0)));
    }
    if (request.method === "GET") {
      const message = messages.get(request.url?.split("/").at(-1) ?? "");
      if (message === undefined) return answer(404, {});
      return behaviours.get(message.to) === "lost_answer" ? answer(503, {}) : answer(200, message);
    }
    const { id, to, service } = JSON.parse(Buffer.concat(chunks).toString());
    const behaviour = behaviours.get(to) ?? "answers";
    if (behaviour === "rejects") return answer(422, {});
    if (behaviour === "line_down") return answer(403, {});
    if (behaviour === "lost_send") return request.socket.destroy();
    const message = take(id, to, service);
    if (behaviour === "lost_answer") return request.socket.destroy();
    if (behaviour !== "slow_answer") answer(202, message);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const posting = setInterval(postAll, RETRY_MS);
  let isPosting = false;

  async function postAll(): Promise<void> {
    if (isPosting) return;
    isPosting = true;
    for (const report of [...unanswered]) {
      const callback = signedCallback(secret, { receipts: [{ ...report, at: 1_700_000_000 }] });
      if (await deliver?.(callback)) unanswered.delete(report);
    }
    isPosting = false;
  }

  const report = (handle: string, status: Status) => {
    for (const { number, to } of messages.values()) if (to === handle) addReceipt(number, status);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (handle: string, behaviour: PeerBehavior) => behaviours.set(handle, behaviour),
    arrived: (handle: string) => [...messages.values()].filter(({ to }) => to === handle).map(({ id }) => id),
    report,
    /** Sends a message from a person to the line. Polls report it. */
    write(from: string, text: string) {
      reports.push({ message: { number: ++next, from, text, at: 1_700_000_000 } });
    },
    /** The cursors of the polls so far. */
    polls,
    /** The next polls fail with 503. */
    failPolls(times: number) {
      failingPolls = times;
    },
    /** From now on, sends callbacks to `post`, each until it resolves to true; null = there is no listener. */
    callTo(post: typeof deliver) {
      deliver = post;
    },
    close() {
      clearInterval(posting);
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

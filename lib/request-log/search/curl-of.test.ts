import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { LoggedRequestDetails } from "@/lib/request-log/search/api-request";
import { curlOf } from "@/lib/request-log/search/curl-of";

const BASE = "https://trunkline.example";

function logged(more: Partial<LoggedRequestDetails> = {}): LoggedRequestDetails {
  return {
    id: "01a00000-0000-7000-8000-000000000000",
    created_at: "2026-03-01T12:00:00.000Z",
    method: "POST",
    route: "/v3/chats",
    path: "/v3/chats",
    status: 201,
    error_code: null,
    latency_ms: 3,
    line: null,
    chat_id: null,
    trace_id: "0123456789abcdef0123456789abcdef",
    token: { id: "01a00000-0000-7000-8000-000000000001", name: "CI" },
    user_agent: null,
    address: null,
    message_ids: [],
    bodies_hidden: false,
    request: { headers: { "content-type": "application/json" }, body: '{"a":1}', size_bytes: 7 },
    response: { headers: {}, body: "{}", size_bytes: 2 },
    ...more,
  };
}

/** The arguments that a shell would pass to curl. */
function argumentsOf(command: string): string[] {
  const script = `TRUNKLINE_TOKEN=t; curl() { printf '%s\\0' "$@"; }; ${command}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

test("a shell makes the very request of it, whatever is in the body and the path", () => {
  const body = `{"text":"it's $HOME \`id\` \\n \\"quoted\\" 🦊\n!"}`;
  const path = "/v3/chats?from=%2B1555&x='; rm -rf ~; '";
  const command = curlOf(logged({ path, request: { headers: {}, body, size_bytes: 40 } }), BASE);

  expect(argumentsOf(command)).toEqual([
    "-X",
    "POST",
    `${BASE}${path}`,
    "-H",
    "Authorization: Bearer t",
    "--data-raw",
    body,
  ]);
});

test("a GET needs neither method nor body; an idempotency key is sent again", () => {
  const request = { headers: { "idempotency-key": "k 1" }, body: null, size_bytes: 0 };
  expect(argumentsOf(curlOf(logged({ method: "GET", request }), BASE))).toEqual([
    `${BASE}/v3/chats`,
    "-H",
    "Authorization: Bearer t",
    "-H",
    "idempotency-key: k 1",
  ]);
});

test("the command names what is missing: a deleted body, a cut one, secrets", () => {
  const headers = {};
  expect(curlOf(logged({ request: { headers, body: null, size_bytes: 9 } }), BASE)).toContain("deleted");
  expect(curlOf(logged({ request: { headers, body: "{", size_bytes: 9000 } }), BASE)).toContain("8 KB");
  expect(curlOf(logged({ path: "/v3/chats?token=[redacted]" }), BASE)).toContain("Secrets");
});

import { createHmac } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import LinqAPIV3 from "@linqapp/sdk";
import { expect, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { startReceiver } from "../lib/testing/servers/start-receiver";
import { launchProcess } from "../scripts/instance/start-process.mjs";
import { sendRequest } from "./partner-program";
import { firstRun } from "./test-instance";

const configDirectory = mkdtempSync(path.join(tmpdir(), "trunkline-listen-"));

function listen(...args: string[]) {
  const options = ["--url", firstRun().base_url, ...args];
  return launchProcess({
    args: ["scripts/trunkline.mjs", "listen", ...options],
    // The test runner asks its processes for colors.
    env: { TRUNKLINE_CONFIG_DIR: configDirectory, FORCE_COLOR: "0" },
  });
}

async function sendText(value: string): Promise<string> {
  const { line, phone } = firstRun();
  const message = { parts: [{ type: "text", value }] };
  const { body } = await sendRequest("POST /v3/chats", { from: line, to: [phone], message });
  return body.chat.message.id;
}

test("npm run listen posts the account's events to a local address, signed like webhooks", async () => {
  const receiver = await startReceiver();
  const listener = listen(
    "--token",
    firstRun().token,
    "--no-check",
    "--forward-to",
    receiver.url,
    "--types",
    "message.delivered",
  );
  await expect.poll(() => listener.output()).toMatch(/whsec_\S+/);
  const [secret = ""] = /whsec_\S+/.exec(listener.output()) ?? [];
  // The command forwards only events that occur after it has connected.
  await expect
    .poll(async () => {
      await sendText("are you there?");
      return receiver.received.length;
    })
    .toBeGreaterThan(0);

  const messageId = await sendText("to a local address");
  const { headers, body, event } = await receiver.next(
    "message.delivered",
    ({ data }) => data.id === messageId,
  );

  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ event_type: "message.delivered" });
  const legacy = createHmac("sha256", secret)
    .update(`${headers["x-webhook-timestamp"]}.${body}`)
    .digest("hex");
  expect(headers["x-webhook-signature"]).toBe(legacy);
  expect(new Set(receiver.received.map((received) => received.event.event_type))).toEqual(
    new Set(["message.delivered"]),
  );
  await expect.poll(() => listener.output()).toContain(`message.delivered  ${event.event_id}  200`);
  await listener.stop();
  await receiver.close();
});

test("a run that is killed in the middle skips nothing that the official client sent", async () => {
  const { token, base_url: baseURL, line, phone } = firstRun();
  let answer = (response: { end(): void }, _count: number) => response.end();
  const receiver = await startReceiver((response, count) => answer(response, count));
  const args = ["--token", token, "--no-check", "--forward-to", receiver.url, "--types", "message.sent"];
  const first = listen(...args);
  await expect.poll(() => first.output()).toContain("Starting after event");
  let killed: Promise<void> | undefined;
  answer = (response, count) => {
    if (count < 3) response.end();
    else killed ??= first.kill();
  };

  const client = new LinqAPIV3({ apiKey: token, baseURL, maxRetries: 0 });
  const sent: string[] = [];
  for (let n = 0; n < 8; n++) {
    const message = { parts: [{ type: "text" as const, value: `Order ${n}` }] };
    const { chat } = await client.chats.create({ from: line, to: [phone], message });
    sent.push(chat.message.id);
  }
  await expect.poll(() => killed !== undefined && !first.isRunning()).toBe(true);

  answer = (response) => response.end();
  const second = listen(...args);
  const [key = ""] = /whsec_\S+/.exec(first.output()) ?? [];
  const seen = () =>
    receiver.received.map(({ body, headers }) => client.webhooks.unwrap(body, { headers, key }).data);
  await expect
    .poll(() => sent.filter((id) => !seen().some((data) => "id" in data && data.id === id)))
    .toEqual([]);
  await second.stop();
  await receiver.close();
});

test("listen names what is wrong and ends", async () => {
  const refused = listen("--token", "tl_sandbox_wrong", "--forward-to", "http://localhost:1/");
  await expect.poll(() => refused.isRunning()).toBe(false);
  expect(refused.output()).toContain("2004");

  const unused = listen("--token", firstRun().token);
  await expect.poll(() => unused.isRunning()).toBe(false);
  expect(unused.output()).toContain("--forward-to");
});

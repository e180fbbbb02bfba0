import { createHmac } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
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

test("listen names what is wrong and ends", async () => {
  const refused = listen("--token", "tl_sandbox_wrong", "--forward-to", "http://localhost:1/");
  await expect.poll(() => refused.isRunning()).toBe(false);
  expect(refused.output()).toContain("2004");

  const unused = listen("--token", firstRun().token);
  await expect.poll(() => unused.isRunning()).toBe(false);
  expect(unused.output()).toContain("--forward-to");
});

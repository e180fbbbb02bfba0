import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { imsgTransport } from "@/lib/adapters/transports/imsg/imsg-transport";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { reloadEnv } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { startFakeMac } from "@/lib/testing/vendors/fake-mac";

const LINE: LineRef = {
  accountId: newId(1),
  id: newId(1),
  phoneNumber: "+12025550100",
  lineType: "iMessage",
};
const METHODS = [
  "tapback",
  "message.edit",
  "typing",
  "read",
  "chats.create",
  "send.rich",
  "send.attachment",
  "contacts.shareContactCard",
  "handles.check",
  "poll.send",
  "send.sticker",
];
const { PATH } = process.env;
let mac: Awaited<ReturnType<typeof startFakeMac>>;

beforeAll(async () => {
  mac = await startFakeMac();
});

afterEach(() => {
  mac.knobs.database = true;
  mac.knobs.bridge = true;
  process.env.PATH = PATH;
});

afterAll(() => mac.close());

function check(
  command: string,
  settings: Record<string, string> = {},
): Promise<readonly string[]> | undefined {
  process.env.IMSG_COMMAND = command;
  reloadEnv();
  return imsgTransport.test?.(LINE, settings, AbortSignal.timeout(10_000));
}

/** A program of the fake Mac's folder. */
function program(name: string, script: string): string {
  const file = path.join(mac.directory, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

test("imsg that can read the messages works, and with its bridge everything does", async () => {
  expect(await check(mac.command)).toEqual([]);
});

test("a bridge that is off is a warning that names what does not work", async () => {
  mac.knobs.bridge = false;
  const warnings = (await check(mac.command)) ?? [];
  expect(warnings).toHaveLength(1);
  for (const part of ["The bridge of imsg is off", "reactions", "edits", "groups", "polls", "imsg launch"]) {
    expect(warnings[0]).toContain(part);
  }
});

test("a bridge that lacks a method on this macOS is a warning that names only this feature", async () => {
  const answer = {
    database: { ready: true },
    bridge: { ready: true },
    methods: METHODS.filter((method) => method !== "typing"),
  };
  const json = JSON.stringify({ jsonrpc: "2.0", id: 1, result: answer });
  const warnings = await check(program("partial", `read line; echo '${json}'; cat > /dev/null`));
  expect(warnings).toEqual([expect.stringContaining("These do not work: typing indicators.")]);
});

test("imsg without access to the messages is explained", async () => {
  mac.knobs.database = false;
  await expect(check(mac.command)).rejects.toMatchObject({
    kind: "rejected",
    message: expect.stringContaining("Full Disk Access"),
  });
});

test.each([
  ["a program that is missing", () => "/nonexistent/imsg", {}, "IMSG_COMMAND"],
  ["a program in a folder that is a file", () => path.join(mac.command, "imsg"), {}, "imsg can't be started"],
  ["a program that ends", () => program("ends", "exit 3"), {}, "imsg ended with exit code 3"],
  [
    "another program",
    () => program("other", 'read line; echo \'{"jsonrpc":"2.0","id":1,"result":{}}\'; cat > /dev/null'),
    {},
    "not imsg 0.15",
  ],
])("%s is explained", async (_, command, settings, reason) => {
  await expect(check(command(), settings)).rejects.toMatchObject({
    kind: "rejected",
    message: expect.stringContaining(reason),
  });
});

test.each([
  ["a Mac that ssh can't reach", "exit 255", "ssh could not connect to me@mac"],
  ["a Mac without imsg", "exit 127", "imsg is not installed on the Mac"],
])("%s is explained", async (_, script, reason) => {
  program("ssh", script);
  process.env.PATH = `${mac.directory}:${PATH}`;
  await expect(check("imsg", { ssh_host: "me@mac" })).rejects.toMatchObject({
    message: expect.stringContaining(reason),
  });
});

import "@/lib/testing/use-test-database";

import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OutAction } from "@/lib/adapters/transports/actions";
import { writeMacFile } from "@/lib/adapters/transports/imsg/imsg-process";
import { openImsgSession } from "@/lib/adapters/transports/imsg/imsg-session";
import { ImsgSettings } from "@/lib/adapters/transports/imsg/imsg-settings";
import { imsgTransport } from "@/lib/adapters/transports/imsg/imsg-transport";
import type { Outbound, OutPart } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Running } from "@/lib/adapters/transports/transport";
import { reloadEnv } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { until } from "@/lib/testing/until";
import { startFakeMac } from "@/lib/testing/vendors/fake-mac";

const PERSON = "+15550106200";
const LINE: LineRef = {
  accountId: newId(1),
  id: newId(1),
  phoneNumber: "+12025550100",
  lineType: "iMessage",
};

let mac: Awaited<ReturnType<typeof startFakeMac>>;
let session: Running | undefined;
let ups: boolean[] = [];

beforeEach(async () => {
  mac = await startFakeMac();
  ups = [];
});
afterEach(async () => {
  await session?.stop();
  session = undefined;
  await mac.close();
});

function open(command = mac.command): void {
  process.env.IMSG_COMMAND = command;
  reloadEnv();
  session = openImsgSession(
    LINE,
    {},
    {
      async receive(_, events) {
        for (const event of events) if (event.type === "line") ups.push(event.up);
      },
    },
  );
}

/** The Mac answers once the returned function is called. */
function holdAnswers(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  mac.knobs.answering = promise;
  return resolve;
}

function messageWith(id: string): Outbound {
  const parts: OutPart[] = [{ type: "text", value: "hello", decorations: [], mentions: [], stickers: [] }];
  return {
    id,
    line: LINE,
    service: "iMessage",
    to: [PERSON],
    group: null,
    parts,
    effect: null,
    replyTo: null,
  };
}

const fileOf = (content: string) => async () =>
  (async function* () {
    yield Buffer.from(content);
  })();

async function withPath(folder: string, run: () => Promise<void>): Promise<void> {
  const before = process.env.PATH;
  process.env.PATH = `${folder}:${before}`;
  await run().finally(() => {
    process.env.PATH = before;
  });
}

const probe = () => imsgTransport.probe(LINE, PERSON, "iMessage");
const edit = (action: OutAction["action"]) =>
  imsgTransport.act(
    { id: newId(1), target: { line: LINE, service: "iMessage", to: [PERSON], group: null }, action },
    AbortSignal.timeout(5000),
  );

test("until imsg has started, the line is down: nothing counts as unknown or unsupported", async () => {
  const respond = holdAnswers();
  open();
  const correction = { type: "edit", ref: "A", part: 0, text: "better" } as const;
  await expect(probe()).rejects.toMatchObject({ kind: "line_down" });
  await expect(edit(correction)).rejects.toMatchObject({ kind: "line_down" });

  await until(() => ups.length > 0);
  respond();
  await until(() => ups.at(-1));
  expect(ups).toEqual([false, true]);
  expect(await probe()).toBe("yes");
  await edit(correction);
  expect(mac.calls.filter(({ method }) => method === "message.edit")).toHaveLength(1);
});

test("while a check waits and imsg ends, the line is down", async () => {
  open();
  await until(() => ups.at(-1));
  holdAnswers();
  const asked = expect(probe()).rejects.toMatchObject({ kind: "line_down" });
  await until(() => mac.calls.some(({ method }) => method === "handles.check"));
  mac.crash();
  await asked;
});

test.each([
  ["a Mac that ssh can't reach", "exit 255", "line_down"],
  ["a Mac whose disk is full", "exit 1", "rate_limited"],
])("a file for %s was certainly not sent", async (_, script, kind) => {
  const ssh = path.join(mac.directory, "ssh");
  writeFileSync(ssh, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await withPath(mac.directory, async () => {
    await expect(
      writeMacFile(ImsgSettings.parse({ ssh_host: "me@mac" }), "notes.txt", fileOf("notes")),
    ).rejects.toMatchObject({
      kind,
    });
  });
});

test("a file that can't be read was certainly not sent", async () => {
  const lost = async () => {
    throw new Error("the file is gone");
  };
  await expect(writeMacFile(ImsgSettings.parse({}), "notes.txt", lost)).rejects.toMatchObject({
    kind: "rate_limited",
  });
  const cutOff = async () =>
    (async function* () {
      yield Buffer.from("half");
      throw new Error("the connection to the storage ended");
    })();
  await expect(writeMacFile(ImsgSettings.parse({}), "notes.txt", cutOff)).rejects.toMatchObject({
    kind: "rate_limited",
  });
});

test("the outcome of a message from before a restart is known, even if it is asked while imsg starts", async () => {
  const messageId = newId(1);
  open();
  await until(() => ups.at(-1));
  await imsgTransport.send(messageWith(messageId), AbortSignal.timeout(5000));
  await session?.stop();

  const respond = holdAnswers();
  open();
  const outcome = imsgTransport.outcome(LINE, messageId);
  respond();
  expect(await outcome).toMatchObject({ state: "accepted", accepted: { refs: [messageId] } });
});

test("a command that the system refuses takes the line down, until imsg can be started", async () => {
  // The folder of the command is a file.
  open(path.join(mac.command, "imsg"));
  await until(() => ups.length > 0);

  process.env.IMSG_COMMAND = mac.command;
  reloadEnv();
  await until(() => ups.at(-1));
});

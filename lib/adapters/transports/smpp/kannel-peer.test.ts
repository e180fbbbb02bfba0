import "@/lib/testing/use-test-database";

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { InEvent } from "@/lib/adapters/transports/inbound";
import { openSession } from "@/lib/adapters/transports/smpp/smpp-session";
import { smppTransport } from "@/lib/adapters/transports/smpp/smpp-transport";
import { newId } from "@/lib/platform/ids";
import { findFreePort } from "@/lib/platform/postgres/find-free-port";
import { until } from "@/lib/testing/until";

/** Kannel's own SMS center for tests (its source test/drive_smpp.c), from Debian's package kannel-extras. */
const DRIVE_SMPP = "/usr/lib/kannel/test/drive_smpp";
/** The program connects to this port, as if a Kannel were there. */
const SMSBOX_PORT = 13_001;
const MESSAGES = 200;
const isPossible = process.env.LONG_TESTS === "1" && existsSync(DRIVE_SMPP);

process.env.TRANSPORT_ALLOW_PRIVATE = "127.0.0.1,localhost";

const ending: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

test.skipIf(!isPossible)("Kannel's SMS center binds, delivers its messages and takes ours", async () => {
  const smsbox = createServer().listen(SMSBOX_PORT, "127.0.0.1");
  await once(smsbox, "listening");
  ending.push(() => smsbox.close());
  const port = await findFreePort();
  const kannel = spawn(DRIVE_SMPP, ["-v", "0", "-p", String(port), "-m", String(MESSAGES)]);
  ending.push(() => kannel.kill("SIGKILL"));
  const log = readLog(kannel);
  await until(() => log().includes("Starting drive_smpp test"));

  const line = {
    accountId: newId(1),
    id: newId(Date.now()),
    phoneNumber: "+12025550100",
    lineType: "iMessage" as const,
  };
  const events: InEvent[] = [];
  const connection = {
    host: "127.0.0.1",
    port: String(port),
    tls: "off",
    bind: "transmitter_receiver",
    system_id: "foo",
    password: "bar",
  };
  const session = openSession(line, connection, {
    async receive(_, reported) {
      events.push(...reported);
    },
  });
  ending.push(() => session.stop());

  // The program delivers from 456, with the parameter receipted_message_id although its messages are no receipts.
  const received = () => events.flatMap((event) => (event.type === "message" ? event : []));
  await until(() => received().length === MESSAGES);
  expect(received()[0]).toMatchObject({ from: "456", parts: [{ type: "text", value: "1" }] });
  const texts = received().map(({ parts: [part] }) => (part?.type === "text" ? Number(part.value) : 0));
  expect(texts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: MESSAGES }, (_, index) => index + 1));

  // Its responses have no message ID.
  const text = { type: "text" as const, value: "hello kannel", decorations: [], mentions: [], stickers: [] };
  const { refs } = await smppTransport.send(
    {
      id: newId(Date.now()),
      line,
      service: "SMS",
      to: ["+15550107000"],
      group: null,
      parts: [text],
      effect: null,
      replyTo: null,
    },
    AbortSignal.timeout(20_000),
  );
  expect(refs).toEqual([expect.stringContaining("none:")]);
  await until(() => log().includes("submit_sm: short_message = <hello kannel>"));
  expect(log()).not.toMatch(/garbage|unpacking failed|Unhandled/);
});

function readLog(program: ChildProcess): () => string {
  let text = "";
  for (const stream of [program.stdout, program.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}

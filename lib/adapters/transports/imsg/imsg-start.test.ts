import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OutAction } from "@/lib/adapters/transports/actions";
import { openImsgSession } from "@/lib/adapters/transports/imsg/imsg-session";
import { imsgTransport } from "@/lib/adapters/transports/imsg/imsg-transport";
import type { Outbound, OutPart } from "@/lib/adapters/transports/outbound";
import type { LineRef } from "@/lib/adapters/transports/refs";
import type { Running } from "@/lib/adapters/transports/transport";
import { reloadEnv } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { startFakeMac } from "@/lib/testing/fake-mac";
import { until } from "@/lib/testing/until";

const PERSON = "+15550106200";
const LINE: LineRef = {
  accountId: newId(1),
  id: newId(1),
  phoneNumber: "+12025550100",
  lineType: "iMessage",
};

let mac: Awaited<ReturnType<typeof startFakeMac>>;
let session: Running | undefined;
let isUp: boolean | null = null;

beforeEach(async () => {
  mac = await startFakeMac();
  isUp = null;
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
        for (const event of events) if (event.type === "line") isUp = event.up;
      },
    },
  );
}

/** Opens the line. Its imsg responds once the returned function is called. */
function openSlowly(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  mac.knobs.opening = promise;
  open();
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

const probe = () => imsgTransport.probe(LINE, PERSON, "iMessage");
const edit = (action: OutAction["action"]) =>
  imsgTransport.act(
    { id: newId(1), target: { line: LINE, service: "iMessage", to: [PERSON], group: null }, action },
    AbortSignal.timeout(5000),
  );

test("until imsg has started, the line is down: nothing counts as unknown or unsupported", async () => {
  const respond = openSlowly();
  const correction = { type: "edit", ref: "A", part: 0, text: "better" } as const;
  await expect(probe()).rejects.toMatchObject({ kind: "line_down" });
  await expect(edit(correction)).rejects.toMatchObject({ kind: "line_down" });

  respond();
  await until(() => isUp);
  expect(await probe()).toBe("yes");
  await edit(correction);
  expect(mac.calls.filter(({ method }) => method === "message.edit")).toHaveLength(1);
});

test("the outcome of a message from before a restart is known, even if it is asked while imsg starts", async () => {
  const messageId = newId(1);
  open();
  await until(() => isUp);
  await imsgTransport.send(messageWith(messageId), AbortSignal.timeout(5000));
  await session?.stop();

  const respond = openSlowly();
  const outcome = imsgTransport.outcome(LINE, messageId);
  respond();
  expect(await outcome).toMatchObject({ state: "accepted", accepted: { refs: [messageId] } });
});

test("a command that the system refuses takes the line down, until imsg can be started", async () => {
  // The folder of the command is a file.
  open(path.join(mac.command, "imsg"));
  await until(() => isUp === false);

  process.env.IMSG_COMMAND = mac.command;
  reloadEnv();
  await until(() => isUp);
});

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineEvents, defineInternalEvent } from "@/lib/events/catalog/define-events";
import { payloadOf } from "@/lib/events/catalog/event-registry";
import { plainPayload } from "@/lib/events/catalog/payload";
import { type EventOrigin, type NewEvent, newEvent } from "@/lib/events/store/emit-event";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Trunkline's modules that a module loads, including itself. */
async function modulesOf(file: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [file],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    outdir: "unused",
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "server-only": `${root}lib/testing/server-only.ts` },
    logLevel: "silent",
  });
  return Object.keys(metafile.inputs);
}

test("storing an event loads few modules, and none of a room above", async () => {
  const modules = await modulesOf("lib/events/store/emit-event.ts");
  expect(modules.length).toBeLessThan(25);
  expect(modules.filter((module) => !/^lib\/(events|platform|testing)\//.test(module))).toEqual([]);
});

const ORIGIN: EventOrigin = {
  accountId: "019ca9c0-1000-7edb-83aa-d6172839405b",
  lineId: null,
  chatId: null,
  messageId: null,
  traceId: "0".repeat(32),
  at: new Date(),
};

const CALLS = defineEvents({
  "call.ringing": plainPayload(z.object({ call_id: z.uuid() }), { call_id: ORIGIN.accountId }),
});
const NOTE = defineInternalEvent("call.noted", z.object({ note: z.string() }));

test("an event has its type's name and data; data of another type does not compile", () => {
  const data = { call_id: ORIGIN.accountId };
  expect(newEvent(CALLS["call.ringing"], ORIGIN, data)).toEqual({
    ...ORIGIN,
    type: "call.ringing",
    internal: false,
    data,
  });
  expect(newEvent(NOTE, ORIGIN, { note: "hello" })).toMatchObject({ type: "call.noted", internal: true });

  // @ts-expect-error a field is missing
  newEvent(CALLS["call.ringing"], ORIGIN, {});
  // @ts-expect-error a field has another type
  newEvent(NOTE, ORIGIN, { note: 7 });
  // @ts-expect-error data of another event
  newEvent(NOTE, ORIGIN, data);
  // @ts-expect-error no such event is known
  defineEvents({ "call.unheard_of": CALLS["call.ringing"].payload });
  // @ts-expect-error a literal is no checked event
  const literal: NewEvent = { ...ORIGIN, type: "call.ringing", internal: false, data: {} };
  expect(literal.data).toEqual({});
});

test("a payload that no process start registered is a clear error", () => {
  expect(() => payloadOf("message.sent")).toThrow("no event payloads are registered");
});

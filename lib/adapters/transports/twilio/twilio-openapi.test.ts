import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { OutMedia } from "@/lib/adapters/transports/outbound";
import { RECEIPTS } from "@/lib/adapters/transports/twilio/twilio-callback";
import { toForms } from "@/lib/adapters/transports/twilio/twilio-form";
import { TwilioSettings } from "@/lib/adapters/transports/twilio/twilio-settings";
import { newId } from "@/lib/platform/ids";
import { startFakeTwilio } from "@/lib/testing/vendors/fake-twilio";

const DATA = path.join(process.env.VENDOR_DATA ?? "/nonexistent", "twilio-messages.openapi.json");
const ACCOUNT_SID = `AC${"0".repeat(32)}`;
const CREATE = "/2010-04-01/Accounts/{AccountSid}/Messages.json";

const line = { accountId: newId(1), id: newId(1), phoneNumber: "+12025550100", lineType: "RCS" } as const;
const settings = TwilioSettings.parse({
  account_sid: ACCOUNT_SID,
  auth_token: "token",
  messaging_service_sid: `MG${"1".repeat(32)}`,
  rcs: "on",
  fallback_from: "+12025550177",
});

const Description = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

describe.skipIf(!existsSync(DATA))("Twilio's own description of its API", () => {
  let description: z.infer<typeof Description>;
  let twilio: Awaited<ReturnType<typeof startFakeTwilio>>;

  beforeAll(async () => {
    description = Description.parse(JSON.parse(readFileSync(DATA, "utf8")));
    twilio = await startFakeTwilio({ accountSid: ACCOUNT_SID, authToken: "token" });
  });
  afterAll(() => twilio.close());

  // biome-ignore lint/suspicious/noExplicitAny: the description is JSON
  const operation = () => description.paths[CREATE]?.post as any;

  function validator(schema: object) {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "twilio", components: nullable(description.components) });
    const text = JSON.stringify(schema).replaceAll("#/components", "twilio#/components");
    return ajv.compile(nullable(JSON.parse(text)));
  }

  /** OpenAPI 3.0 writes a type that may be null as `nullable`. */
  // biome-ignore lint/suspicious/noExplicitAny: the description is JSON
  function nullable(schema: any): any {
    if (Array.isArray(schema)) return schema.map(nullable);
    if (typeof schema !== "object" || schema === null) return schema;
    const { nullable: isNullable, ...rest } = Object.fromEntries(
      Object.entries(schema).map(([name, value]) => [name, nullable(value)]),
    );
    return isNullable === true && typeof rest.type === "string"
      ? { ...rest, type: [rest.type, "null"] }
      : rest;
  }

  function messageForms(): URLSearchParams[] {
    const file: OutMedia = {
      type: "media",
      attachmentId: newId(1),
      filename: "menu.jpg",
      mimeType: "image/jpeg",
      sizeBytes: 3,
      sticker: false,
      open: async () => (async function* () {})(),
      url: () => `${twilio.url}/menu.jpg`,
    };
    const value = "hello ".repeat(600);
    const text = { type: "text", value, decorations: [], mentions: [], stickers: [] } as const;
    const common = { line, service: "RCS", group: null, effect: null, replyTo: null } as const;
    return toForms(line, { ...common, id: newId(2), to: ["+15550108000"], parts: [text, file] }, settings);
  }

  test("accepts every form that a message becomes, and knows each of its fields", () => {
    const { schema } = operation().requestBody.content["application/x-www-form-urlencoded"];
    const isValid = validator(schema);
    for (const form of messageForms()) {
      const fields: Record<string, unknown> = Object.fromEntries(form);
      if (form.has("MediaUrl")) fields.MediaUrl = form.getAll("MediaUrl");
      expect(Object.keys(fields).filter((name) => !(name in schema.properties))).toEqual([]);
      expect(isValid(fields), JSON.stringify(isValid.errors)).toBe(true);
    }
  });

  test("has the answers of the fake Twilio", async () => {
    const answer = await fetch(`${twilio.url}/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${ACCOUNT_SID}:token`).toString("base64")}` },
      body: new URLSearchParams({
        To: "+15550108000",
        From: line.phoneNumber,
        Body: "hello",
        StatusCallback: "https://trunkline.test/inbound",
      }),
    });
    const { schema } = operation().responses["201"].content["application/json"];
    const isValid = validator(schema);
    const body = (await answer.json()) as Record<string, unknown>;
    expect(isValid(body), JSON.stringify(isValid.errors)).toBe(true);
  });

  test("has exactly the statuses that callbacks are read with, besides those of inbound messages", () => {
    const statuses = Object.entries(description.components.schemas).flatMap(([name, schema]) =>
      /message_enum_status$/.test(name)
        ? (z.object({ enum: z.array(z.string()) }).safeParse(schema).data?.enum ?? [])
        : [],
    );
    expect(statuses.length).toBeGreaterThan(5);
    const outbound = statuses.filter((status) => status !== "receiving" && status !== "received");
    expect(Object.keys(RECEIPTS).sort()).toEqual(outbound.sort());
  });
});

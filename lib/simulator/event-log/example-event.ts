import "server-only";
import type { z } from "zod";
import { payloadOf } from "@/lib/events/catalog/event-registry";
import { type EventType, eventVersions } from "@/lib/events/catalog/event-types";
import {
  EXAMPLE_CHAT_ID,
  EXAMPLE_MESSAGE_ID,
  EXAMPLE_PARTNER_ID,
  EXAMPLE_TIME,
} from "@/lib/events/catalog/example-data";
import { EXAMPLE_INBOUND } from "@/lib/messaging/messages/example-message";
import { fail } from "@/lib/platform/errors/errors";
import { EXAMPLE_LINE } from "@/lib/recipients/handles/example-handles";

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** The values that replace those of an example. */
export interface ExampleValues {
  partnerId: string;
  chatId: string;
  messageId: string;
  /** The number of the line. */
  line: string;
  at: Date;
}

type Json = Record<string, unknown>;

/**
 * The data to store with an event: the example of its type with the given values, at the given time, changed by
 * `overrides`, whose names are those of the event's payload. Errors: parameter_invalid (an override that the type does
 * not have, or that does not match the payload's schema).
 */
export function exampleEventData(type: EventType, values: ExampleValues, overrides: Json): unknown {
  const payload = payloadOf(type);
  const data = replaceValues(payload.example, values) as Json;
  for (const [name, value] of Object.entries(overrides)) override(data, name, value);

  const parsed = payload.data.safeParse(data);
  if (!parsed.success) return failInvalid(type, parsed.error);
  for (const version of eventVersions(type)) {
    const rendered = payload.schemas[version].safeParse(payload.render(version, data));
    if (!rendered.success) return failInvalid(type, rendered.error);
  }
  requireShown(type, data, overrides);
  return data;
}

/** Copies an example with the given ids, line and partner, and with its times moved to `at`. */
function replaceValues(value: unknown, values: ExampleValues): unknown {
  if (typeof value === "string") return replaceText(value, values);
  if (Array.isArray(value)) return value.map((item) => replaceValues(item, values));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceValues(item, values)]));
}

function replaceText(text: string, { partnerId, chatId, messageId, line, at }: ExampleValues): string {
  const ids: Readonly<Record<string, string>> = {
    [EXAMPLE_PARTNER_ID]: partnerId,
    [EXAMPLE_CHAT_ID]: chatId,
    [EXAMPLE_MESSAGE_ID]: messageId,
    [EXAMPLE_INBOUND.message.id]: messageId,
    [EXAMPLE_LINE.handle]: line,
  };
  if (!ISO_TIME.test(text)) return ids[text] ?? text;
  const sinceExample = new Date(text).getTime() - new Date(EXAMPLE_TIME).getTime();
  return new Date(at.getTime() + sinceExample).toISOString();
}

// The stored data of some types is grouped, as in `message`, and their payload is not.
function override(data: Json, name: string, value: unknown): void {
  if (name in data) return void assign(data, name, value);
  const groups = Object.values(data).filter((item): item is Json => isObject(item) && name in item);
  const [group] = groups;
  if (group === undefined) {
    fail("parameter_invalid", `data.${name} can't be set: this event type has no such value`);
  }
  assign(group, name, value);
}

function assign(target: Json, name: string, value: unknown): void {
  const known = target[name];
  if (isObject(known) && isObject(value)) {
    for (const [key, item] of Object.entries(value)) assign(known, key, item);
  } else target[name] = value;
}

// An override that the payload does not show, because the payload computes the value, would be a silent surprise.
function requireShown(type: EventType, data: Json, overrides: Json): void {
  const version = eventVersions(type).at(-1);
  if (version === undefined) return;
  const shown = payloadOf(type).render(version, data);
  for (const [name, value] of Object.entries(overrides)) {
    if (isObject(shown) && contains(shown[name], value)) continue;
    fail(
      "parameter_invalid",
      `data.${name} can't be set to this value: the payload of ${type} does not show it`,
    );
  }
}

function contains(shown: unknown, value: unknown): boolean {
  if (Array.isArray(value)) {
    return (
      Array.isArray(shown) &&
      value.length === shown.length &&
      value.every((item, at) => contains(shown[at], item))
    );
  }
  if (isObject(value)) {
    return isObject(shown) && Object.entries(value).every(([name, item]) => contains(shown[name], item));
  }
  return shown === value || sameTime(shown, value);
}

function sameTime(left: unknown, right: unknown): boolean {
  if (typeof left !== "string" || typeof right !== "string" || !ISO_TIME.test(left)) return false;
  return new Date(left).getTime() === new Date(right).getTime();
}

function failInvalid(type: EventType, error: z.ZodError): never {
  const [issue] = error.issues;
  const path = ["data", ...(issue?.path ?? [])].join(".");
  return fail("parameter_invalid", `${path} does not match the payload of ${type}: ${issue?.message}`);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

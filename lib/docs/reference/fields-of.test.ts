import { expect, test } from "vitest";
import { referenceGroups } from "@/lib/docs/reference/api-reference";
import { eventFields } from "@/lib/docs/reference/event-fields";
import { fieldsOf } from "@/lib/docs/reference/fields-of";
import { EVENT_TYPES, eventVersions } from "@/lib/events/catalog/event-types";

const schemas = {
  Part: {
    description: "A part.",
    oneOf: [
      {
        type: "object",
        properties: { type: { const: "text", description: "A text part." } },
        required: ["type"],
      },
      { type: "object", properties: { url: { type: "string", format: "uri", description: "A URL." } } },
    ],
  },
};

test("fields of objects, arrays and alternatives are listed with their paths, types and descriptions", () => {
  const schema = {
    type: "object",
    properties: {
      to: { type: "array", items: { type: "string" }, description: "Recipients." },
      parts: { type: "array", items: { $ref: "#/components/schemas/Part" }, description: "Parts." },
      first: { $ref: "#/components/schemas/Part" },
    },
    required: ["to"],
  };
  expect(fieldsOf(schema, schemas)).toEqual([
    { name: "to", type: "array of string", isRequired: true, description: "Recipients." },
    { name: "parts", type: "array of object", isRequired: false, description: "Parts." },
    { name: "parts[].type", type: '"text"', isRequired: false, description: "A text part." },
    { name: "parts[].url", type: "string (uri)", isRequired: false, description: "A URL." },
    { name: "first", type: "object", isRequired: false, description: "A part." },
    { name: "first.type", type: '"text"', isRequired: false, description: "A text part." },
    { name: "first.url", type: "string (uri)", isRequired: false, description: "A URL." },
  ]);
});

const PARTS = {
  items: {
    oneOf: [
      {
        type: "object",
        properties: {
          type: { type: "string", const: "text", description: "A text part." },
          value: { type: "string", description: "The text." },
          position: { type: "integer", description: "Where it stands." },
        },
        required: ["type", "value"],
      },
      { $ref: "#/components/schemas/Media" },
    ],
  },
  type: "array",
};
const MEDIA = {
  type: "object",
  properties: {
    type: { type: "string", const: "media", description: "A media part." },
    url: {
      anyOf: [{ const: "" }, { type: "string", format: "uri" }, { type: "string", format: "starts_with" }],
    },
    position: { type: "integer", description: "Where it stands." },
  },
  required: ["type"],
};

test("alternatives that a field tells apart are listed each with its condition, and shared fields once", () => {
  const fields = fieldsOf({ type: "object", properties: { parts: PARTS } }, { Media: MEDIA });
  expect(fields.slice(1)).toEqual([
    {
      name: "parts[].type",
      type: '"text" | "media"',
      isRequired: true,
      description: '`"text"`: A text part. `"media"`: A media part.',
    },
    { name: "parts[].position", type: "integer", isRequired: false, description: "Where it stands." },
    {
      name: "parts[].value",
      type: "string",
      isRequired: true,
      description: "The text.",
      condition: '`parts[].type` is `"text"`',
    },
    {
      name: "parts[].url",
      type: "string",
      isRequired: false,
      description: "",
      condition: '`parts[].type` is `"media"`',
    },
  ]);
});

test("a field of alternatives without a distinguishing field has the types of all and is required only if all require it", () => {
  const either = {
    anyOf: [
      { type: "object", properties: { id: { type: "string", description: "An ID." } }, required: ["id"] },
      {
        type: "object",
        properties: { id: { type: "integer", description: "An ID." }, url: { type: "string" } },
      },
      { type: "null" },
    ],
  };
  expect(fieldsOf(either, {})).toEqual([
    { name: "id", type: "string | integer", isRequired: false, description: "An ID." },
    { name: "url", type: "string", isRequired: false, description: "" },
  ]);
});

test("the reference of a send lists every type of part with its fields", () => {
  const operation = referenceGroups()
    .flatMap(({ operations }) => operations)
    .find(({ method, path }) => method === "POST" && path === "/v3/chats");
  const fields = new Map(
    operation?.body?.fields.map((field) => [`${field.name} ${field.condition ?? ""}`, field]),
  );
  const when = (type: string) => `\`message.parts[].type\` is \`"${type}"\``;
  expect(fields.get("message.parts[].type ")).toMatchObject({
    type: '"text" | "media" | "link" | "app_clip" | "imessage_app"',
    isRequired: true,
  });
  for (const [name, type] of [
    ["value", "text"],
    ["attachment_id", "media"],
    ["value", "link"],
    ["layout.caption", "imessage_app"],
  ] as const) {
    expect(fields.has(`message.parts[].${name} ${when(type)}`), `${name} of ${type}`).toBe(true);
  }
});

test("every field of every event's data has a type and says what it is", () => {
  const silent = EVENT_TYPES.flatMap((type) =>
    eventVersions(type).flatMap((version) =>
      eventFields(type, version)
        .filter((field) => field.description === "" || field.type === "")
        .map(({ name }) => `${type} ${version} ${name}`),
    ),
  );
  expect(silent).toEqual([]);
});

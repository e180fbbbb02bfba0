import { expect, test } from "vitest";
import { EVENT_TYPES, eventVersions } from "@/lib/events/event-types";
import { eventFields } from "@/lib/runtime/docs/event-fields";
import { fieldsOf } from "@/lib/runtime/docs/fields-of";

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
    { name: "parts[].type", type: '"text"', isRequired: true, description: "A text part." },
    { name: "parts[].url", type: "string (uri)", isRequired: false, description: "A URL." },
    { name: "first", type: "object", isRequired: false, description: "A part." },
    { name: "first.type", type: '"text"', isRequired: true, description: "A text part." },
    { name: "first.url", type: "string (uri)", isRequired: false, description: "A URL." },
  ]);
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

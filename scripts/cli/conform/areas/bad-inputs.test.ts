import { expect, test } from "vitest";
import { operationsOf, readApiDocument } from "@/scripts/cli/conform/api-document";
import { badBodies } from "@/scripts/cli/conform/areas/bad-inputs";
import { STEPS } from "@/scripts/cli/conform/areas/run-operations";

const document = readApiDocument();
const world = { unknownId: "01234567-89ab-7def-8123-456789abcdef", isOwn: false, recipient: "+15550100101" };

function namesOf(operation: string, isOwn: boolean): string[] {
  const found = operationsOf(document).find(({ name }) => name === operation);
  const example = STEPS.find(({ op }) => op === operation)?.body?.(world);
  return found === undefined ? [] : badBodies(document, found, { example, isOwn }).map(({ name }) => name);
}

test("in an account that others use, no send is valid but for a field that an implementation may ignore", () => {
  const whole = ["malformed JSON", "a compressed body", "a list as body"];
  const cases = {
    "POST /v3/chats": /^(without )?(to|message)\b/,
    "POST /v3/messages": /^(without )?(to|message)\b/,
    "POST /v3/chats/{chatId}/messages": /^(without )?message\b/,
    "POST /v3/chats/{chatId}/voicememo": /^attachment_id\b/,
    "POST /v3/chats/{chatId}/polls": /^(without )?poll\b/,
    "POST /v3/messages/{messageId}/update": /^(without )?layout\b/,
    "POST /v3/messages/{messageId}/reactions": /^(without )?(operation|type)\b/,
    "PATCH /v3/messages/{messageId}": /^(without )?text\b/,
  };
  for (const [operation, content] of Object.entries(cases)) {
    const names = namesOf(operation, false).filter((name) => !whole.includes(name));
    expect([operation, names.length > 0, names.filter((name) => !content.test(name))]).toEqual([
      operation,
      true,
      [],
    ]);
    expect(namesOf(operation, true).length).toBeGreaterThan(names.length + whole.length);
  }
  expect(namesOf("POST /v3/webhook-subscriptions", false)).toContain("without target_url");
  expect(namesOf("POST /v3/webhook-subscriptions", false).join()).not.toContain("retry_seconds");
});

test("an invalid field has a code of the operation, and not that of a missing one", () => {
  const operation = operationsOf(document).find(({ name }) => name === "POST /v3/attachments");
  const example = { filename: "a.txt", content_type: "text/plain", size_bytes: 5 };
  if (operation === undefined) throw new Error("no operation");
  const inputs = badBodies(document, operation, { example, isOwn: true });
  expect(inputs.find(({ name }) => name === "size_bytes of the wrong type")?.codes).toEqual([
    1005, 5004, 5005,
  ]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { fillReply } from "@/components/composer/fill-reply";

const VALUES = { name: "Ana", handle: "+15550100101", line: "+15550100001", agent: "Ben" };

test.each([
  ["Hi {{name}}, this is {{agent}}.", "Hi Ana, this is Ben."],
  ["{{ name }}: text {{line}} from {{handle}}", "Ana: text +15550100001 from +15550100101"],
  ["{{unknown}} {name} {{}}", "{{unknown}} {name} {{}}"],
])("%s", (body, filled) => {
  expect(fillReply(body, VALUES)).toBe(filled);
});

test("a variable without a value disappears with the space before it", () => {
  expect(fillReply("Hi {{name}}, thanks", { ...VALUES, name: null })).toBe("Hi, thanks");
});

test("values are inserted as they are, whatever they contain", () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(fillReply("a {{name}} b", { ...VALUES, name })).toBe(`a ${name} b`);
    }),
  );
});

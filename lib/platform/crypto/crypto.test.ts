import { createCipheriv, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { resealed, type SealContext, seal, UnreadableSecret, unseal } from "@/lib/platform/crypto/crypto";

const ROW = { accountId: "01a00000-0000-7000-8000-000000000001", id: "01a00000-0000-7000-8000-000000000002" };
const CONTEXT: SealContext = { purpose: "webhook-signing-secret", row: ROW };

/** A secret sealed in the format of earlier versions: bound only to its purpose. */
function sealInOldFormat(plain: string, purpose: string): Buffer {
  const key = Buffer.from(process.env.ENCRYPTION_KEY ?? "", "base64");
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.from([1, 1]), Buffer.from("1"), iv, cipher.getAuthTag(), body]);
}

test("a sealed secret does not open when a byte was changed", () => {
  const sealed = seal("whsec_abc", CONTEXT);
  expect(sealed.toString("utf8")).not.toContain("whsec_abc");
  expect(unseal(sealed, CONTEXT)).toBe("whsec_abc");

  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => unseal(changed, CONTEXT)).toThrow(UnreadableSecret);
  }
});

test.each<[string, SealContext]>([
  ["another purpose", { ...CONTEXT, purpose: "another-purpose" }],
  ["another account", { ...CONTEXT, row: { ...ROW, accountId: ROW.id } }],
  ["another row", { ...CONTEXT, row: { ...ROW, id: ROW.accountId } }],
  ["no row", { purpose: CONTEXT.purpose }],
])("a sealed secret does not open for %s", (_, context) => {
  expect(() => unseal(seal("whsec_abc", CONTEXT), context)).toThrow(UnreadableSecret);
});

test("the same secret never looks the same twice", () => {
  expect(seal("one", CONTEXT).equals(seal("one", CONTEXT))).toBe(false);
});

test("a secret of an earlier version opens, and sealed anew is bound to its row", () => {
  const old = sealInOldFormat("whsec_abc", CONTEXT.purpose);
  expect(unseal(old, CONTEXT)).toBe("whsec_abc");

  const fresh = resealed(old, CONTEXT);

  expect(fresh && unseal(fresh, CONTEXT)).toBe("whsec_abc");
  expect(() => fresh && unseal(fresh, { purpose: CONTEXT.purpose })).toThrow(UnreadableSecret);
  expect(fresh && resealed(fresh, CONTEXT)).toBeNull();
});

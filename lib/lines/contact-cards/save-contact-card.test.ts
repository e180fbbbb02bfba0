import "@/lib/testing/use-test-database";

import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import * as card from "@/app/api/lines/[lineId]/contact-card/route";
import { prisma, sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let admin: DashboardUser;
let lineId: string;

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
  admin = await signInAs(account, "admin");
  lineId = (await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } })).id;
});

function save(body: object, user = admin, id = lineId) {
  const whole = { first_name: "Harbor", last_name: null, ...body };
  return user.call(card.PUT, { method: "PUT", params: { lineId: id }, body: whole });
}

async function photo(width: number, height = width): Promise<string> {
  const image = sharp({ create: { width, height, channels: 3, background: "#246" } });
  return (await image.jpeg().toBuffer()).toString("base64");
}

const files = () => prisma().attachment.count({ where: { accountId: account.ref.id } });

test("saveContactCard sets up a card with its image, changes it, and stores no file but the image", async () => {
  const made = await save({ image: await photo(300) });
  expect(made.status).toBe(200);
  expect(made.body).toMatchObject({ first_name: "Harbor", is_active: true, phone_number: account.line });
  expect(made.body.image_url).toContain("/");
  expect(await files()).toBe(1);

  const renamed = await save({ first_name: "Pier", last_name: "Nine" });
  expect(renamed.body).toMatchObject({ first_name: "Pier", last_name: "Nine" });
  expect(renamed.body.image_url).toBe(made.body.image_url);

  const bare = await save({ image: null });
  expect(bare.body).not.toHaveProperty("image_url");
  expect(bare.body).not.toHaveProperty("last_name");
  expect(await files()).toBe(0);
});

test("an image that is no square of at least 200 pixels is refused with advice and not stored", async () => {
  for (const wrong of [await photo(199), await photo(300, 200)]) {
    const { status, body } = await save({ image: wrong });
    expect([status, body.error.code]).toEqual([400, 1005]);
    expect(body.error.message).toContain("at least 200 by 200");
  }
  expect((await save({ image: Buffer.from("no image").toString("base64") })).status).toBe(400);
  expect(await files()).toBe(0);
});

test("a card that the line refused is set up again, with its earlier image", async () => {
  await save({ image: await photo(300) });
  await sql.runText({
    text: "update contact_cards set is_active = false where account_id = $1",
    values: [account.ref.id],
  });

  const again = await save({});

  expect(again.body).toMatchObject({ is_active: true });
  expect(again.body.image_url).toContain("/");
  expect(await files()).toBe(1);
});

test("only roles that manage lines save a card, and only for their own lines", async () => {
  expect((await save({}, await signInAs(account, "support"))).body.error.code).toBe(2005);
  const theirs = await createTestAccount({ type: "sandbox" });
  const foreign = await prisma().line.findFirstOrThrow({ where: { accountId: theirs.ref.id } });
  expect((await save({}, admin, foreign.id)).body.error.code).toBe(2005);
  expect((await save({}, admin, account.ref.id)).body.error.code).toBe(2019);
});

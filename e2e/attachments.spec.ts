import sharp from "sharp";
import { expectAccessible, expectPagesAccessible } from "./accessible";
import { newPhone, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

function image(): Promise<Buffer> {
  return sharp({ create: { width: 900, height: 600, channels: 3, background: "#1b4f72" } })
    .png()
    .toBuffer();
}

test("a file is uploaded by hand, found, sent by a program, and deleted: then its address is gone", async ({
  page,
}) => {
  const name = `harbor-${Date.now()}.png`;
  await page.goto("/attachments");
  await page
    .getByLabel("Files to upload")
    .setInputFiles({ name, mimeType: "image/png", buffer: await image() });
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row.getByText("Ready")).toBeVisible();
  await expect(row.getByText("Uploaded")).toBeVisible();
  await row.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByRole("img", { name })).toBeVisible();

  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { chatId } = await newPhone();
  const message = { parts: [{ type: "media", attachment_id: id }] };
  expect((await sendRequest(`POST /v3/chats/${chatId}/messages`, { message })).status).toBe(202);
  await page.goto(`/attachments?direction=sent&q=${name}`);
  await page.getByRole("row").filter({ hasText: name }).getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "Messages" }).getByRole("listitem")).toHaveCount(1);
  const { body } = await sendRequest(`GET /v3/attachments/${id}`);
  expect((await fetch(body.download_url)).status).toBe(200);

  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await page.getByRole("button", { name: "Delete file" }).click();
  await expect(page.getByText("File deleted")).toBeVisible();
  await expect(page.getByText(/^by /)).toBeVisible();
  expect((await fetch(body.download_url)).status).toBe(404);
  expect((await sendRequest(`GET /v3/attachments/${id}`)).status).toBe(404);
});

test("axe finds nothing on the list, a file and the guides", async ({ page }) => {
  const { handle } = await newPhone();
  const data = (await image()).toString("base64");
  const parts = [{ type: "media", filename: "photo.png", data }];
  await sendRequest(`POST /simulator/phones/${handle}/messages`, { to: firstRun().line, parts });

  await page.goto("/attachments?direction=received");
  const file = page.getByRole("row").filter({ hasText: "photo.png" }).first();
  await expect(file).toBeVisible();
  await expectAccessible(page);
  await file.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "photo.png" })).toBeVisible();
  await expectAccessible(page);
  await expectPagesAccessible(page, [
    "/docs/guides/attachments",
    "/docs/guides/webhooks",
    "/docs/guides/errors",
  ]);
});

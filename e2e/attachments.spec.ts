import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { ask, newPhone } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

function image(): Promise<Buffer> {
  return sharp({ create: { width: 900, height: 600, channels: 3, background: "#1b4f72" } })
    .png()
    .toBuffer();
}

async function expectClean(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  expect(found).toEqual([]);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(excess).toBeLessThanOrEqual(0);
}

// A region that scrolls is reached by the keyboard once it was measured.
function settlesClean(page: Page): Promise<void> {
  return expect(() => expectClean(page)).toPass();
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
  expect((await ask(`POST /v3/chats/${chatId}/messages`, { message })).status).toBe(202);
  await page.goto(`/attachments?direction=sent&q=${name}`);
  await page.getByRole("row").filter({ hasText: name }).getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "Messages" }).getByRole("listitem")).toHaveCount(1);
  const { body } = await ask(`GET /v3/attachments/${id}`);
  expect((await fetch(body.download_url)).status).toBe(200);

  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await page.getByRole("button", { name: "Delete file" }).click();
  await expect(page.getByText("File deleted")).toBeVisible();
  await expect(page.getByText(/^by /)).toBeVisible();
  expect((await fetch(body.download_url)).status).toBe(404);
  expect((await ask(`GET /v3/attachments/${id}`)).status).toBe(404);
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`${colorScheme}, 360 px`, () => {
    test.use({ colorScheme, viewport: { width: 360, height: 800 } });

    test("axe finds nothing on the list, a file and the guides", async ({ page }) => {
      const { handle } = await newPhone();
      const data = (await image()).toString("base64");
      const parts = [{ type: "media", filename: "photo.png", data }];
      await ask(`POST /simulator/phones/${handle}/messages`, { to: firstRun().line, parts });

      await page.goto("/attachments?direction=received");
      await expect(page.getByRole("row").filter({ hasText: "photo.png" }).first()).toBeVisible();
      await settlesClean(page);
      await page.getByRole("row").filter({ hasText: "photo.png" }).first().getByRole("link").first().click();
      await expect(page.getByRole("heading", { level: 1, name: "photo.png" })).toBeVisible();
      await settlesClean(page);
      for (const path of ["/docs/guides/attachments", "/docs/guides/webhooks", "/docs/guides/errors"]) {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await settlesClean(page);
      }
    });
  });
}

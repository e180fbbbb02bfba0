import { readFileSync } from "node:fs";
import { expectAccessible } from "./accessible";
import { newPhone, send } from "./partner-program";
import { expect, test } from "./signed-in";

test("opt-outs are imported from a file after a preview, with the rows left out as a file", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  const csv = `handle;note\n${handle};asked in the shop\n${handle};again\n555 0101;no country code\n`;
  await page.goto("/opt-outs");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog");
  const file = { name: "consent.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await dialog.getByLabel("CSV file").setInputFiles(file);

  const rows = dialog.getByRole("table", { name: "Rows of the file" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("Valid");
  await expect(rows.nth(2)).toContainText("The same handle is in line 2.");
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole("tab", { name: "Invalid 1" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("country code");
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download rows left out" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("left-out-consent.csv");
  const report = readFileSync(await saved.path(), "utf8");
  expect(report).toContain("handle,note,line,reason");
  expect(report).toContain("555 0101,no country code,4,");

  await dialog.getByRole("button", { name: "Import 1 opt-out" }).click();
  await expect(dialog.getByText("1 opt-out imported")).toBeVisible();
  await expect(dialog.getByText("Left out: 1 already listed or duplicates, 1 invalid.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: handle });
  await expect(row).toContainText("from “consent.csv”");
  expect((await send(chatId, "hello")).body.error.code).toBe(2024);
});

test("a file that is not CSV shows why, and another file of blocks is imported", async ({ page }) => {
  const { handle } = await newPhone();
  await page.goto("/blocked-handles");
  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog");
  const choose = (text: string) =>
    dialog
      .getByLabel("CSV file")
      .setInputFiles({ name: "spam.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose('handle\n"+1555');
  await expect(dialog.getByRole("alert")).toContainText("not valid CSV");
  await choose(`${handle},spam\n`);
  await dialog.getByRole("button", { name: "Import 1 handle" }).click();
  await expect(dialog.getByText("Every row of the file was imported.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row").filter({ hasText: handle })).toContainText("imported from “spam.csv”");
});

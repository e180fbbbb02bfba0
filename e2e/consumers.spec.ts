import { newPhone, send, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";

test("a consumer is listed with its lag, moved by time and by event, and deleted", async ({ page }) => {
  const name = `page-${Date.now()}`;
  const created = await sendRequest(`PUT /v3/consumers/${name}`, { types: ["message.sent"] });
  const { chatId } = await newPhone();
  await send(chatId, "for the consumer");
  const lagOf = async () => (await sendRequest(`GET /v3/consumers/${name}`)).body.lag.events;
  await expect.poll(lagOf).toBeGreaterThan(0);
  await page.goto("/webhooks");
  await page.getByRole("navigation", { name: "Webhooks" }).getByRole("link", { name: "Consumers" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Behind");
  await expect(row).toContainText("message.sent");
  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(page.getByText(/^[1-9]\d* events?$/)).toBeVisible();

  const dialog = page.getByRole("dialog");
  async function seek(target: string, field?: { label: string; text: string }) {
    await page.getByRole("button", { name: "Seek…" }).click();
    await dialog.getByRole("combobox", { name: "Continue at" }).click();
    await page.getByRole("option", { name: target, exact: true }).click();
    if (field) {
      await expect(dialog.getByRole("button", { name: "Seek", exact: true })).toBeDisabled();
      await dialog.getByRole("textbox", { name: field.label }).fill(field.text);
    }
    await dialog.getByRole("button", { name: "Seek", exact: true }).click();
  }
  await seek("Now");
  await expect(page.getByText("0 events", { exact: true })).toBeVisible();
  await seek("Time", { label: "Time", text: "1h ago" });
  await expect(page.getByText(/^[1-9]\d* events?$/)).toBeVisible();
  await seek("Event", { label: "Event", text: `#${created.body.position}` });
  await expect(page.getByText(`${name} continues after event ${created.body.position}`)).toBeVisible();
  await seek("Event", { label: "Event", text: "999999999999999" });
  await expect(dialog).toContainText("The consumer was not moved");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete consumer" }).click();
  await page.waitForURL("**/webhooks/consumers");
  await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(0);
  await page.goto(`/webhooks/consumers/${name}`);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

import { expectAccessible } from "./accessible";
import { newPhone, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";

/** The texts that a simulated phone has. */
async function textsOn(handle: string): Promise<string> {
  const { body } = await sendRequest("GET /simulator/phones");
  return JSON.stringify(body.phones.find((phone: { handle: string }) => phone.handle === handle)?.messages);
}

test("a message is scheduled, moved, sent now, and another one canceled", async ({ page }) => {
  const { handle, chatId } = await newPhone({}, "See you");
  await page.goto(`/chats/${chatId}`);
  const field = page.getByLabel("Message", { exact: true });
  const scheduled = page.getByRole("article", { name: "Scheduled message" });

  await field.fill("Good morning");
  await page.getByRole("button", { name: "Send later" }).click();
  const dialog = page.getByRole("dialog", { name: "Send later" });
  await dialog.getByLabel("Date and time").fill("tomorrow 9am");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await expect(field).toHaveValue("");
  await expect(scheduled).toContainText("Good morning");
  await expect(scheduled).toContainText("09:00:00");

  await scheduled.getByRole("button", { name: "Edit time" }).click();
  await page.getByLabel("Date and time").fill("tomorrow 10am");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(scheduled).toContainText("10:00:00");
  expect(await textsOn(handle)).not.toContain("Good morning");

  await scheduled.getByRole("button", { name: "Send now" }).click();
  await expect(scheduled).toHaveCount(0);
  await expect.poll(() => textsOn(handle)).toContain("Good morning");

  await field.fill("Never mind");
  await page.getByRole("button", { name: "Send later" }).click();
  await page.getByRole("button", { name: /^In 1 hour/ }).click();
  await expect(scheduled).toContainText("Never mind");
  await scheduled.getByRole("button", { name: "Cancel" }).click();
  await scheduled.getByRole("button", { name: "Cancel this message" }).click();
  await expect(scheduled).toHaveCount(0);
  expect(await textsOn(handle)).not.toContain("Never mind");
});

test("the scheduled messages of all chats are listed, and are moved, sent and canceled there", async ({
  page,
}) => {
  const [one, two] = [await newPhone({}, "When?"), await newPhone({}, "And me?")];
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const schedule = async (chatId: string, value: string, hours: number) => {
    const body = { message: { parts: [{ type: "text", value }] }, send_at: at(hours) };
    expect((await sendRequest(`POST /v3/chats/${chatId}/messages`, body)).status).toBe(202);
  };
  await schedule(one.chatId, "To the first", 300);
  await schedule(two.chatId, "To the second", 301);
  await schedule(two.chatId, "Refused", 302);
  await page.goto("/scheduled-messages");
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  await expect(row("To the first")).toContainText(one.handle);
  await expect(row("To the first")).toContainText("Waiting");
  await expect(row("To the first")).toContainText(/API token/);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await row("To the first").getByRole("button", { name: "Send now" }).click();
  await expect(row("To the first")).toHaveCount(0);
  await expect.poll(() => textsOn(one.handle)).toContain("To the first");
  await row("To the second").getByRole("button", { name: "Edit time" }).click();
  await page.getByLabel("Date and time").fill("tomorrow 10am");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(row("To the second")).toContainText("10:00:00");
  await row("To the second").getByRole("button", { name: "Cancel" }).click();
  await row("To the second").getByRole("button", { name: "Cancel this message" }).click();
  await expect(row("To the second")).toHaveCount(0);

  await write(two.handle, two.chatId, "STOP");
  await row("Refused").getByRole("button", { name: "Send now" }).click();
  await expect(row("Refused")).toHaveCount(0);
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: /^Refused/ }).click();
  await expect(row("Refused")).toContainText("The recipient asked to stop being messaged");
  await expect(row("Refused").getByRole("link", { name: "code 2024" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await row("Refused").getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(two.chatId));
});

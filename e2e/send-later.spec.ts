import { expectAccessible } from "./accessible";
import { newPhone, sendRequest } from "./partner-program";
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

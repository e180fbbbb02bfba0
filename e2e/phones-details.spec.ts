import { findBrowser } from "../scripts/find-browser.mjs";
import { newPhone, send, sendRequest } from "./partner-program";
import { fieldOf, logOf, nameOf, openWall, phoneOf, say } from "./phone-wall";
import { expect, test } from "./signed-in";

// A microphone that beeps, and a person who allows it.
const browser = findBrowser();
test.use({
  launchOptions: {
    ...browser,
    args: [...browser.args, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
  },
  permissions: ["microphone"],
});

test("a person records a voice memo, and the program receives it with its duration", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Mia Mic");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Mia Mic");
  const apps = phone.getByRole("toolbar", { name: "Add to message" });
  await phone.getByRole("button", { name: "Add to message" }).click();
  await apps.getByRole("button", { name: "Voice memo" }).click();
  await phone.getByRole("button", { name: "Record", exact: true }).click();
  await expect(phone.getByText("Recording, up to 20 seconds")).toBeVisible();
  await expect(phone.getByText(/^0:(0[1-9]|1\d)$/)).toBeVisible();
  await phone.getByRole("button", { name: "Stop and send" }).click();
  await expect(logOf(phone).getByText("Voice memo", { exact: true })).toBeVisible();
  const { body } = await sendRequest(`GET /v3/chats/${chatId}/messages`);
  expect(body.messages[0].parts[0]).toMatchObject({ type: "media", filename: "Voice memo.wav" });
  expect(body.messages[0].parts[0].size_bytes).toBeGreaterThan(5000);
});

test("a voice memo whose panel is closed while it records is not sent", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Max Mute");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Max Mute");
  const apps = phone.getByRole("toolbar", { name: "Add to message" });
  await phone.getByRole("button", { name: "Add to message" }).click();
  await apps.getByRole("button", { name: "Voice memo" }).click();
  await phone.getByRole("button", { name: "Record", exact: true }).click();
  await expect(phone.getByRole("button", { name: "Stop and send" })).toBeVisible();
  await apps.getByRole("button", { name: "Poll" }).click();
  await expect(phone.getByLabel("Option 1")).toBeVisible();
  await phone.getByRole("button", { name: "Add to message" }).click();
  await say(phone, "No memo, a text");
  const { body } = await sendRequest(`GET /v3/chats/${chatId}/messages`);
  expect(body.messages[0].parts[0]).toMatchObject({ type: "text", value: "No memo, a text" });
  expect(JSON.stringify(body)).not.toContain("Voice memo");
});

test("a person reacts with an emoji of their choice, and takes it back", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Emi Moji");
  const { body: sent } = await send(chatId, "New menu!");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Emi Moji");
  const message = logOf(phone).getByRole("article").filter({ hasText: "New menu!" });
  const reactions = async () =>
    (await sendRequest(`GET /v3/messages/${sent.message.id}`)).body.parts[0].reactions;
  for (const expected of ["🦊", null]) {
    await message.hover();
    await message.getByRole("button", { name: "Message actions" }).click();
    await page.getByRole("menuitem", { name: "Another emoji…" }).click();
    await page.getByRole("dialog").getByLabel("Another emoji").fill("🦊");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await reactions())?.[0]?.custom_emoji ?? null).toBe(expected);
    const shown = message.getByText("🦊").first();
    await expect(shown).toBeVisible({ visible: expected !== null });
  }
});

test("without read receipts, the program does not learn what the person read", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Rob Reader");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Rob Reader");
  await phone.getByRole("button", { name: "Phone settings" }).click();
  await page.getByRole("switch", { name: "Send read receipts" }).click();
  await expect(page.getByRole("switch", { name: "Send read receipts" })).not.toBeChecked();
  await page.keyboard.press("Escape");
  const { body } = await send(chatId, "Secretly read");
  await expect(logOf(phone)).toContainText("Secretly read");
  await fieldOf(phone).click();
  const readAt = async () => {
    const { body: inbox } = await sendRequest(`GET /simulator/phones/${handle}/messages`);
    return inbox.messages[0].read_at;
  };
  await expect.poll(readAt).not.toBeNull();
  const { body: message } = await sendRequest(`GET /v3/messages/${body.message.id}`);
  expect(message.delivery_status).toBe("delivered");
});

test("a message to a phone with a dead battery waits, and arrives once the phone is charged", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Dee Dead");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Dee Dead");
  await phone.getByRole("button", { name: "Battery dead" }).click();
  await expect(phone.getByRole("button", { name: "Charge phone" })).toBeVisible();
  const { body } = await send(chatId, "Are you there?");
  const status = async () => (await sendRequest(`GET /v3/messages/${body.message.id}`)).body.delivery_status;
  await expect.poll(status).toBe("sent");
  await expect(fieldOf(phone)).toBeDisabled();
  await phone.getByRole("button", { name: "Charge phone" }).click();
  await expect(logOf(phone)).toContainText("Are you there?");
  // The open phone may have read the message already.
  await expect.poll(status).toMatch(/^(delivered|read)$/);
});

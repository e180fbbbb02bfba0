import { expectAccessible } from "./accessible";
import { signInInvited } from "./invited-user";
import { newPhone, send, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";

/** The messages that a simulated phone received and the actions it recorded. */
async function phoneOf(handle: string) {
  const { body } = await sendRequest("GET /simulator/phones");
  return body.phones.find((phone: { handle: string }) => phone.handle === handle);
}

test("on a phone's screen a support agent finds out why a customer cannot be messaged", async ({
  browser,
}) => {
  const { handle, chatId } = await newPhone();
  await write(handle, chatId, "STOP");
  const page = await signInInvited(browser, "support");
  await page.setViewportSize({ width: 390, height: 844 });

  await page.goto("/chats");
  await page.getByLabel(/^Search chats by/).fill(handle);
  await expect(page).toHaveURL(/q=/);
  await page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: handle }).click();
  await expect(page.getByText("Opted out by writing “STOP”")).toBeVisible();
  await expect(page.getByLabel("Message", { exact: true })).toBeDisabled();

  await page.getByRole("link", { name: "View opt-out" }).click();
  await expect(page.getByText("Wrote “STOP”").first()).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Send anyway…" }).click();
  await page.getByLabel("Reason").fill("They asked for the receipt");
  await page.getByRole("button", { name: "Override for one message" }).click();
  await page.getByLabel("Message", { exact: true }).fill("Your receipt");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByLabel("Message", { exact: true })).toBeDisabled();
  await expect.poll(async () => JSON.stringify((await phoneOf(handle)).messages)).toContain("Your receipt");
  await page.context().close();
});

test("a file, a formatted reply, a reaction and an edit arrive at the phone", async ({ page }) => {
  const { handle, chatId } = await newPhone({}, "Where is it?");
  await page.goto(`/chats/${chatId}`);
  const log = page.getByRole("log", { name: "Messages" });
  const question = log.getByRole("article").filter({ hasText: "Where is it?" });
  const field = page.getByLabel("Message", { exact: true });

  await question.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Love" }).click();
  await expect(question.getByRole("button", { name: "Love: This line" })).toBeVisible();
  await question.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Reply" }).click();
  await expect(page.getByRole("button", { name: "Cancel reply" })).toBeVisible();
  await page
    .getByLabel("Files to send")
    .setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("a note") });
  await expect(page.getByRole("button", { name: "Remove note.txt" })).toBeVisible();
  await field.fill("on its way");
  await field.press("ControlOrMeta+a");
  await field.press("ControlOrMeta+b");
  await expect(page.getByText("Will be sent over iMessage.")).toBeVisible();
  await field.press("Enter");

  const sent = log.getByRole("article").filter({ hasText: "on its way" });
  await expect(sent).toContainText("Delivered");
  await expect(sent).toContainText("note.txt");
  await expect(sent.getByRole("button", { name: /Reply to/ })).toContainText("Where is it?");
  await sent.getByRole("button", { name: "Message actions" }).last().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Edited message").fill("arrives today");
  await page.getByLabel("Edited message").press("Enter");
  await expect(log.getByText("arrives today")).toBeVisible();

  await expect
    .poll(async () =>
      (await phoneOf(handle)).actions.map(({ action }: { action: { do: string } }) => action.do),
    )
    .toEqual(["edit", "react"]);
  const [, got] = (await phoneOf(handle)).messages.toReversed();
  expect(got.parts).toMatchObject([
    { type: "media", filename: "note.txt" },
    { type: "text", value: "on its way", decorations: [{ range: [0, 10], style: "bold" }] },
  ]);
});

test("a number without a chat says whether it can be messaged, and why not", async ({ page }) => {
  const stranger = `+1557${String(Date.now() % 10_000_000).padStart(7, "0")}`;
  await page.goto("/chats");
  await page.getByLabel(/^Search chats by/).fill(stranger);
  const outcome = page.getByRole("region", { name: `Messaging ${stranger}` });
  await expect(outcome).toContainText("has not written to this sandbox line");

  await sendRequest("POST /v3/blocked_handles", { handle: stranger, reason: "abusive" });
  await page.reload();
  await expect(outcome).toContainText("Blocked by");
});

test("a recipient without a chat gets the first message from a line that can send it", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto("/chats");
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await page.getByLabel("Line", { exact: true }).click();
  await page.getByRole("option", { name: /RCS/ }).click();
  await page.keyboard.press("Escape");
  await page.getByLabel(/^Search chats by/).fill(handle);
  const outcome = page.getByRole("region", { name: `Messaging ${handle}` });
  await outcome.getByRole("combobox", { name: "From line" }).click();
  await page.getByRole("option", { name: /iMessage/ }).click();
  await expect(outcome).toContainText("You can message this recipient. Will be sent over iMessage.");

  await outcome.getByRole("button", { name: "Start chat" }).click();
  await page.getByLabel("First message").fill("A first word");
  await page.getByRole("button", { name: "Send and open chat" }).click();

  await expect(page).toHaveURL(new RegExp(`/chats/${chatId}`));
  await expect(page.getByRole("log").getByText("A first word")).toBeVisible();
});

test.describe("360 px", () => {
  test.use({ viewport: { width: 360, height: 800 } });

  test("axe finds nothing on a thread with the composer's panels open", async ({ page }) => {
    const { chatId } = await newPhone();
    const { body } = await send(chatId, "for the eye");
    await sendRequest(`POST /v3/messages/${body.message.id}/reactions`, { operation: "add", type: "like" });
    await page.goto(`/chats/${chatId}`);
    const field = page.getByLabel("Message", { exact: true });
    await page.getByRole("button", { name: "Format" }).click();
    await field.fill("so bold");
    await field.press("ControlOrMeta+a");
    await page.getByRole("button", { name: "Bold" }).click();
    await expect(page.getByText("Will be sent over iMessage.")).toBeVisible();
    await expectAccessible(page, { widths: [360] });
    await page.getByRole("button", { name: "Effect" }).click();
    await expect(page.getByRole("button", { name: "Confetti" })).toBeVisible();
    await expectAccessible(page, { widths: [360] });
    await page.keyboard.press("Escape");
    await page.getByRole("article").last().getByRole("button", { name: "Message actions" }).click();
    await expect(page.getByRole("menuitem", { name: "Love" })).toBeVisible();
    // A menu overlays the page outside all landmarks.
    await expectAccessible(page, { widths: [360], without: ["region"] });
  });
});

test("the last Enter of an input method in Safari's order sends nothing, and the next one sends", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  const field = page.getByLabel("Message", { exact: true });
  await field.fill("かな");
  // Safari fires compositionend first, and then a keydown that is no longer part of the composition.
  await field.evaluate((element) => {
    element.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "かな" }));
    const enter = { key: "Enter", keyCode: 229, bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent("keydown", enter));
  });
  await expect(field).toHaveValue("かな");

  await field.press("Enter");
  await expect(field).toHaveValue("");
  await expect.poll(async () => JSON.stringify((await phoneOf(handle)).messages)).toContain("かな");
});

test("text copied from a spreadsheet is pasted as text, and a copied image as a file", async ({ page }) => {
  const { chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  const field = page.getByLabel("Message", { exact: true });
  /** Whether the page took the paste for itself, as it does for files. */
  const paste = (texts: Record<string, string>) =>
    field.evaluate((element, given) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(given)) clipboardData.setData(type, text);
      const image = new File(["not looked at"], "image.png", { type: "image/png" });
      clipboardData.items.add(image);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      return !element.dispatchEvent(event);
    }, texts);

  expect(await paste({ "text/plain": "1\t2", "text/html": "<table><tr><td>1</td></tr></table>" })).toBe(
    false,
  );
  await expect(page.getByRole("button", { name: "Remove image.png" })).toHaveCount(0);
  expect(await paste({ "text/html": "<img src='x'>" })).toBe(true);
  await expect(page.getByRole("button", { name: "Remove image.png" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 844, height: 190 } });

  test("Enter starts a new line, and the field stays in view above a keyboard", async ({ page }) => {
    const { chatId } = await newPhone();
    await page.goto(`/chats/${chatId}`);
    const field = page.getByLabel("Message", { exact: true });
    await field.fill("one");
    await field.press("End");
    await field.press("Enter");
    await field.pressSequentially("two");
    await expect(field).toHaveValue("one\ntwo");
    await expect(field).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeInViewport({ ratio: 1 });
  });
});

test("a thread in which nothing happens does not change", async ({ page }) => {
  const { chatId } = await newPhone({}, "Hello");
  await page.clock.install();
  await page.goto(`/chats/${chatId}`);
  const log = page.getByRole("log", { name: "Messages" });
  await expect(log.getByText("Hello")).toBeVisible();
  await expect(log).toHaveAttribute("aria-relevant", "additions");
  const before = await log.textContent();
  await page.clock.fastForward("05:00");
  await page.clock.runFor(1000);
  expect(await log.textContent()).toBe(before);
});

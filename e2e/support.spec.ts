import { expectAccessible } from "./accessible";
import { signInInvited } from "./invited-user";
import { newPhone, send, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

const PHONE = { width: 390, height: 844 };

test("a support agent on a phone finds out why a customer can't be messaged, takes the chat over, answers, hands back", async ({
  page: admin,
  browser,
}) => {
  await admin.goto("/settings");
  const origin = new URL(admin.url()).origin;
  const changed = await admin.request.patch("/api/account/options", {
    data: { take_over_minutes: 15 },
    headers: { origin },
  });
  expect(changed.ok()).toBe(true);
  const { handle, chatId } = await newPhone();
  await write(handle, firstRun().line, "STOP");
  const page = await signInInvited(browser, "support");
  await page.setViewportSize(PHONE);

  // Why can't I message this number?
  await page.goto(`/customers/${handle}`);
  await expect(page.getByText("Opted out by writing “STOP”").first()).toBeVisible();
  await expect(page.getByText("Wrote “STOP”")).toBeVisible();
  await expectAccessible(page, { widths: [PHONE.width] });
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: "Opt in" }).click();
  await page.getByLabel("Reason").fill("Asked by phone to be served again");
  await page.getByRole("dialog").getByRole("button", { name: "Opt in" }).click();
  await expect(page.getByText(`You can message ${handle} from`)).toBeVisible();

  await page.getByRole("button", { name: "Add name" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ana Torres");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ana Torres" })).toBeVisible();

  // Take over.
  await page.getByRole("link", { name: "Open chat" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`Ana Torres ${handle}`);
  await expect(page.getByText("Programs can send to this chat.")).toBeVisible();
  await page.getByRole("button", { name: "Take over" }).click();
  await expect(page.getByText("You hold this chat.")).toBeVisible();
  const refused = await send(chatId, "From the program");
  expect(refused.status).toBe(409);
  expect(refused.body.error.code).toBe(2015);
  expect(refused.body.error.message).toContain("A support has taken over this chat");

  // Answer.
  await page.getByLabel("Message", { exact: true }).fill("This is Ben, how can I help?");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const bubble = page.getByRole("article").filter({ hasText: "how can I help?" });
  await expect(bubble).toContainText("Delivered");
  await expectAccessible(page, { widths: [PHONE.width] });
  await page.setViewportSize(PHONE);

  // Hand back.
  await page.getByRole("button", { name: "Hand back" }).click();
  await expect(page.getByText("Programs can send to this chat.")).toBeVisible();
  const log = page.getByRole("log", { name: "Messages" });
  await expect(log.getByText("A support took over this chat. API sends are refused")).toBeVisible();
  await expect(log.getByText("A support handed this chat back to the API")).toBeVisible();
  expect((await send(chatId, "From the program again")).status).toBe(202);
  await expect(log.getByText("From the program again")).toBeVisible();
  await page.context().close();
});

test("a near miss is decided in the chat, undone, and counted in the menu", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await write(handle, firstRun().line, "please stop writing");
  await page.goto(`/chats/${chatId}`);
  const header = page.locator("header").filter({ hasText: handle });
  await expect(page.getByText("“please stop writing” may be an opt-out")).toBeVisible();
  await expect(header.getByText("May want to stop")).toBeVisible();
  await expect(page.getByRole("link", { name: /Opt-outs \d+\+? possible opt-outs to decide/ })).toBeVisible();
  await page.getByRole("button", { name: "Opt out" }).click();
  await expect(header.getByText("Opted out")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("“please stop writing” may be an opt-out")).toBeVisible();
  expect((await send(chatId, "Still there?")).status).toBe(202);

  await page.goto("/opt-outs/near-misses");
  const card = page.getByRole("article", { name: `Message from ${handle}` });
  await expect(card.getByText("Recipient: Hello!")).toBeVisible();
  await card.getByRole("button", { name: "Dismiss" }).click();
  await expect(card).toHaveCount(0);
});

test("a chat is assigned, noted, filtered by view and answered with a canned reply", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto("/settings/canned-replies");
  await page.getByRole("button", { name: "Create canned reply" }).click();
  const title = `Welcome ${Date.now()}`;
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text").fill("Hi {{name}}, write to {{line}} any time.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(title)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.goto(`/chats/${chatId}?view=unread`);
  const list = page.getByRole("navigation", { name: "Chats" });
  await expect(list.getByRole("button", { name: "Unread" })).toHaveAttribute("aria-pressed", "true");
  await expect(list.getByRole("link", { name: handle })).toBeVisible();
  await page.getByRole("button", { name: "Mark as read" }).click();
  await expect(list.getByRole("link", { name: handle })).toHaveCount(0);

  const { agent: name } = await (await page.request.get("/api/canned-replies")).json();
  await page.getByRole("combobox", { name: "Assigned to" }).click();
  await page.getByRole("option", { name, exact: true }).first().click();
  await expect(page.getByRole("log").getByText(`${name} assigned this chat to ${name}`)).toBeVisible();
  await list.getByRole("button", { name: "Mine" }).click();
  await expect(page).toHaveURL(/view=mine/);
  await expect(list.getByRole("link", { name: handle })).toContainText(`Assigned to ${name}`);
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByLabel("Note", { exact: true }).fill("Prefers mornings");
  await page.getByRole("button", { name: "Save note" }).click();
  await expect(page.getByRole("log").getByText("Prefers mornings")).toBeVisible();

  await page.getByLabel("Message", { exact: true }).fill("PS. ");
  await page.getByRole("button", { name: "Canned replies" }).click();
  await page.getByRole("menuitem", { name: new RegExp(title) }).click();
  const { line } = firstRun();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(`PS. Hi, write to ${line} any time.`);
});

test("a link in a chat doesn't make the page scroll, and the first Tab leads to the message field", async ({
  page,
}) => {
  const { chatId } = await newPhone();
  const text = "line\n".repeat(60);
  await send(chatId, text);
  await sendRequest(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "link", value: "https://example.com/menu" }] },
  });
  await page.goto(`/chats/${chatId}`);
  await expect(page.getByText("example.com", { exact: true })).toBeVisible();
  const excess = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(excess).toBeLessThanOrEqual(0);

  const skip = page.getByRole("link", { name: "Skip to message" });
  await skip.focus();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
});

test("typing shows dots until the message arrives, and a message's details lead to its trace", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  await expect(page.getByRole("log").getByText("Hello!")).toBeVisible();
  await expect(
    page.getByRole("navigation", { name: "Chats" }).getByText("Live", { exact: true }),
  ).toBeVisible();
  await sendRequest(`POST /simulator/phones/${handle}/typing`, { chat_id: chatId, is_on: true });
  await expect(page.getByText("The recipient is typing")).toBeAttached();
  await write(handle, firstRun().line, "Done");
  await expect(page.getByText("The recipient is typing")).toHaveCount(0);

  await send(chatId, "Trace me");
  const bubble = page.getByRole("article").filter({ hasText: "Trace me" });
  await expect(bubble).toContainText("Delivered");
  await bubble.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  await page.getByRole("link", { name: "Trace with every webhook attempt" }).click();
  const steps = page.getByRole("list", { name: "Steps" });
  for (const step of ["Accepted", "Passed to the transport", "Sent", "Delivered"]) {
    await expect(steps.getByText(step, { exact: true })).toBeVisible();
  }
  await expect(steps.getByText(`POST /v3/chats/${chatId}/messages`)).toBeVisible();
  await expectAccessible(page);
});

test("a shared location is drawn with its coordinates, and a card that was updated is marked", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await sendRequest(`POST /simulator/phones/${handle}/location`, {
    to: firstRun().line,
    position: { latitude: 37.7749, longitude: -122.4194 },
  });
  const card = { layout: { caption: "Your move" }, url: "https://game.example/1" };
  const app = { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" };
  const { body } = await sendRequest(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "imessage_app", app, ...card }] },
  });
  await page.goto(`/chats/${chatId}`);
  const log = page.getByRole("log", { name: "Messages" });
  await expect(log.getByRole("link", { name: "37.77490° N, 122.41940° W" })).toBeVisible();
  await expect(log.getByRole("article").filter({ hasText: "Your move" })).toContainText("Delivered");
  expect((await sendRequest(`POST /v3/messages/${body.message.id}/update`, card)).status).toBe(202);
  await expect(log.getByText("Replaced by the updated card below")).toHaveCount(1);
  await expectAccessible(page);
});

import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { type OwnInstance, startOwnInstance } from "./own-instance";

const HANDLE = "+15550100377";
const TEXT = "I lost my green umbrella. <b>Was it found</b> near table 7?";
/** More than a timeline loads at first. */
const LATER_MESSAGES = 80;

let instance: OwnInstance;
let chatId: string;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  instance = await startOwnInstance();
  const { call, demo } = instance;
  await call("POST /simulator/phones", { handle: HANDLE, name: "Uma", delay_ms: 0 });
  const write = (text: string) => call(`POST /simulator/phones/${HANDLE}/messages`, { to: demo.line, text });
  chatId = (await write(TEXT)).body.chat_id;
  for (let n = 1; n <= LATER_MESSAGES; n++) await write(`later message ${n}`);
  // The job that fills the search runs every minute.
  for (let run = 0; run < 2; run++) await call("POST /simulator/clock", { advance: "2m" });
});
test.afterAll(() => instance?.stop());

/** Searches the chat list once the job has added the messages. Returns the found message. */
async function searchChats(page: Page, text: string) {
  const { base_url: baseUrl } = instance.demo;
  const find = async () => {
    const answer = await page.request.get(`${baseUrl}/api/messages/search?q=umbrella`);
    return (await answer.json()).messages.length;
  };
  await expect.poll(find, { timeout: 60_000 }).toBe(1);
  await page.goto(`${baseUrl}/chats`);
  await page.getByLabel("Search chats by number").fill(text);
  return page.getByRole("region", { name: "Messages" }).getByRole("link");
}

test("an agent finds a message by a word and reads the chat from there to the newest message", async ({
  page,
}) => {
  await instance.signIn(page);
  const found = await searchChats(page, "umbrel");
  await expect(found).toHaveCount(1);
  await expect(found.locator("mark")).toHaveText("umbrella");
  await expectAccessible(page);

  await page.setViewportSize({ width: 1280, height: 800 });
  await found.click();
  const message = page.getByRole("article").filter({ hasText: "green umbrella" });
  await expect(message).toBeInViewport();
  await expect(message).toHaveAttribute("aria-current", "true");
  await expect(message).toContainText("<b>Was it found</b>");
  await expect(page.getByText(`later message ${LATER_MESSAGES}`, { exact: true })).toHaveCount(0);

  await page.getByRole("button", { name: "Load newer messages" }).click();
  await expect(page.getByText("later message 60", { exact: true })).toHaveCount(1);
  await expect(message).toHaveCount(1);
  await page.getByRole("link", { name: "Go to newest" }).click();
  await expect(page.getByText(`later message ${LATER_MESSAGES}`, { exact: true })).toBeInViewport();
  await expect(page.getByRole("link", { name: "Go to newest" })).toHaveCount(0);
});

test("on a phone, the result opens the chat at the message, and an answer goes to the newest", async ({
  page,
}) => {
  await instance.signIn(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const found = await searchChats(page, '"green umbrella"');
  await found.click();
  const message = page.getByRole("article").filter({ hasText: "green umbrella" });
  await expect(message).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await page.getByLabel("Message", { exact: true }).fill("It is at the bar.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("article").filter({ hasText: "It is at the bar." })).toBeInViewport();
  await expect(page).not.toHaveURL(/message=/);
});

test("the palette and the customer's page lead to the message, too", async ({ page }) => {
  const { demo } = instance;
  await instance.signIn(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command palette" }).fill("umbrella table");
  await page.getByRole("option", { name: /green umbrella|Was it found/ }).click();
  await expect(page).toHaveURL(new RegExp(`/chats/${chatId}\\?message=`));
  await expect(page.getByRole("article").filter({ hasText: "green umbrella" })).toBeInViewport();

  await page.goto(`${demo.base_url}/customers/${encodeURIComponent(HANDLE)}`);
  await page.getByRole("link", { name: "Search messages" }).click();
  await expect(page.getByLabel("Search chats by number")).toHaveValue(`with:${HANDLE}`);
  await expect(page.getByRole("region", { name: "Messages" }).getByRole("listitem").first()).toBeVisible();
});

import type { Page } from "@playwright/test";
import { sendRequest as sendRequestTo } from "../scripts/instance/call-instance.mjs";
import { openInstance } from "../scripts/instance/open-instance.mjs";
import { launchServer } from "../scripts/instance/start-server.mjs";
import { WITHOUT_LIMITS } from "../scripts/instance/without-limits.mjs";
import { signIn } from "../scripts/screenshot/sign-in.mjs";
import { expectAccessible } from "./accessible";
import { newPhone, sendRequest, write } from "./partner-program";
import { expect, test } from "./signed-in";

test.afterEach(({ context }) => context.setOffline(false));

const messageField = (page: Page) => page.getByLabel("Message", { exact: true });
const thread = (page: Page) => page.getByRole("log", { name: "Messages" });
const unsent = (page: Page) => page.getByRole("article", { name: "Unsent message" });

async function type(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** What happens to a send: it is lost on its way to the server, or its answer is lost on the way back. */
type Loss = "request" | "answer";

/** Loses the sends to a chat until the returned function is called. */
async function loseSends(page: Page, chatId: string, loss: Loss): Promise<() => Promise<void>> {
  const messages = `**/api/chats/${chatId}/messages`;
  await page.route(messages, async (route) => {
    // A request may end with its page, or with the route, before this does.
    const lose = async () => {
      if (route.request().method() !== "POST") return route.continue();
      if (loss === "answer") await route.fetch();
      return route.abort("connectionfailed");
    };
    await lose().catch(() => undefined);
  });
  return () => page.unroute(messages);
}

/** Opens a chat, and has a message wait for a moment: the page has loaded all that it needs offline. */
async function openLoaded(page: Page, chatId: string): Promise<void> {
  await page.goto(`/chats/${chatId}`);
  const restore = await loseSends(page, chatId, "request");
  await type(page, "written online");
  await expect(unsent(page)).toHaveCount(1);
  await restore();
  await expect(unsent(page)).toHaveCount(0);
  await expect(page.getByText("The server does not respond")).toHaveCount(0);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
}

/** The texts that a phone got, in their order. */
async function textsOn(handle: string): Promise<string[]> {
  const { body } = await sendRequest("GET /simulator/phones");
  const phone = body.phones.find((each: { handle: string }) => each.handle === handle);
  const received = phone.messages.filter((each: { from: string }) => each.from !== handle);
  return received.map((each: { parts: { value: string }[] }) => each.parts[0]?.value).reverse();
}

test("messages that are written offline wait in the thread and go out in order, once, when the network is back", async ({
  page,
  context,
}) => {
  const { handle, chatId } = await newPhone();
  await openLoaded(page, chatId);

  await context.setOffline(true);
  await expect(page.getByText("You are offline")).toBeVisible();
  await expect(page.getByText("Reconnecting")).toBeVisible();
  await type(page, "written offline");
  await type(page, "and one more");
  await expect(unsent(page)).toHaveCount(2);
  await expect(messageField(page)).toHaveValue("");
  await expect(unsent(page).first()).toContainText("Not sent yet");

  await context.setOffline(false);
  await expect(thread(page)).toContainText("and one more");
  await expect(unsent(page)).toHaveCount(0);
  await expect(page.getByText("You are offline")).toHaveCount(0);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect.poll(() => textsOn(handle)).toEqual(["written online", "written offline", "and one more"]);
});

test("a message whose answer is lost is sent again with its key, also after a reload, and arrives once", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  const restore = await loseSends(page, chatId, "answer");

  await type(page, "answered into the void");
  await expect(unsent(page)).toContainText("The server did not respond");
  await expect(unsent(page).getByRole("button", { name: "Edit" })).toHaveCount(0);
  await page.reload();
  await expect(unsent(page)).toContainText("answered into the void");
  await unsent(page).getByRole("button", { name: "Retry" }).click();
  await expect(unsent(page)).toContainText("The server did not respond");
  await restore();

  await expect(unsent(page)).toHaveCount(0);
  await expect(thread(page).getByText("answered into the void")).toHaveCount(1);
  await expect.poll(() => textsOn(handle)).toEqual(["answered into the void"]);
});

test("what waits can be taken back, and what is refused at last says why", async ({ page, context }) => {
  const { handle, chatId } = await newPhone();
  await openLoaded(page, chatId);
  await context.setOffline(true);
  await type(page, "with a mistkae");
  await unsent(page).getByRole("button", { name: "Edit" }).click();
  await expect(messageField(page)).toHaveValue("with a mistkae");
  await expect(unsent(page)).toHaveCount(0);
  await type(page, "without one");
  await expectAccessible(page);

  await write(handle, chatId, "STOP");
  await context.setOffline(false);

  await expect(unsent(page).getByRole("alert")).toContainText("code 2024");
  await unsent(page).getByRole("button", { name: "Delete" }).click();
  await expect(unsent(page)).toHaveCount(0);
  expect(await textsOn(handle)).not.toContain("without one");
});

test("a message that waits goes out from another page too", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  const restore = await loseSends(page, chatId, "request");
  await type(page, "from elsewhere");
  await expect(unsent(page)).toHaveCount(1);
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Webhooks", level: 1 })).toBeVisible();

  await restore();

  await expect.poll(() => textsOn(handle)).toEqual(["from elsewhere"]);
});

test("a server that freezes or restarts is noticed, and the page catches up without a reload", async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const server = await openInstance();
  const { baseUrl, firstRun, pid, dataDir } = server;
  let again: Awaited<ReturnType<typeof launchServer>> | null = null;
  try {
    const call = (what: `${string} ${string}`, body?: object) =>
      sendRequestTo({ baseUrl, token: firstRun.token }, what, body);
    const writes = (text: string) =>
      call(`POST /simulator/phones/${firstRun.phone}/messages`, { to: firstRun.line, text });
    const { body: said } = await writes("Hello!");
    const page = await browser.newPage({
      baseURL: baseUrl,
      storageState: await signIn(browser, baseUrl, firstRun),
    });
    await openLoaded(page, said.chat_id);
    await page.evaluate(() => Object.assign(window, { isTheSamePage: true }));

    process.kill(Number(pid), "SIGSTOP");
    await expect(page.getByText("The server does not respond")).toBeVisible();
    await expect(page.getByText("Reconnecting")).toBeVisible();
    await type(page, "to a frozen server");
    await expect(unsent(page)).toContainText("The server did not respond");
    process.kill(Number(pid), "SIGCONT");
    await expect(unsent(page)).toHaveCount(0, { timeout: 40_000 });
    await expect(page.getByText("The server does not respond")).toHaveCount(0);
    await expect(page.getByText("Live", { exact: true })).toBeVisible();

    await server.kill();
    await expect(page.getByText("The server does not respond")).toBeVisible();
    await type(page, "to a killed server");
    const port = Number(new URL(baseUrl).port);
    again = await launchServer(port, { DATA_DIR: dataDir, DATABASE_URL: "", ...WITHOUT_LIMITS });
    await expect(unsent(page)).toHaveCount(0, { timeout: 90_000 });
    await writes("Are you there?");
    for (const text of ["to a frozen server", "to a killed server", "Are you there?"]) {
      await expect(thread(page).getByText(text, { exact: true })).toHaveCount(1);
    }
    expect(await page.evaluate(() => "isTheSamePage" in window)).toBe(true);
    await page.context().close();
  } finally {
    await again?.stop();
    await server.close();
  }
});

import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { newPhone, sendRequest } from "./partner-program";
import { fieldOf, logOf, nameOf, openWall, phoneOf, say } from "./phone-wall";
import { replay } from "./replay";
import { expect, test } from "./signed-in";

test("a person unsends a message: the phones of the group show so, and the API keeps the message", async ({
  page,
}) => {
  const [una, ole] = [await newPhone(), await newPhone()];
  await nameOf(una.handle, "Una Sender");
  await nameOf(ole.handle, "Ole Other");
  await openWall(page, [una.handle]);
  const [sender, other] = [phoneOf(page, "Una Sender"), phoneOf(page, "Ole Other")];
  await sender.getByRole("button", { name: "Back to conversations" }).click();
  await sender.getByRole("button", { name: "New message" }).click();
  await sender.getByLabel("Ole Other").check();
  await fieldOf(sender).fill("Hello both");
  await sender.getByRole("button", { name: "Send", exact: true }).click();
  await expect(logOf(sender)).toContainText("Hello both");
  await say(sender, "Not for your eyes");
  const { body: listed } = await sendRequest(`GET /simulator/phones/${una.handle}/messages`);
  const [{ message_id: id, chat_id: chatId }] = listed.messages;
  const { body: before } = await sendRequest(`GET /v3/messages/${id}`);
  await openWall(page, [una.handle, ole.handle]);
  await other.getByRole("button", { name: "Back to conversations" }).click();
  await other.getByRole("list", { name: "Conversations" }).getByRole("button").first().click();
  await expect(logOf(other)).toContainText("Not for your eyes");

  await openMenu(page, "Not for your eyes", "Una Sender");
  await expect(page.getByRole("menuitem", { name: "Unsend" })).toBeVisible();
  await page.keyboard.press("U");
  await expect(page.getByRole("menuitem", { name: "Unsend" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(logOf(sender)).toContainText("You unsent a message");
  await expect(logOf(other)).toContainText("Una Sender unsent a message");
  for (const phone of [sender, other]) await expect(logOf(phone)).not.toContainText("Not for your eyes");
  await expectAccessible(page);
  await sender.getByRole("button", { name: "Back to conversations" }).click();
  await expect(sender.getByRole("list", { name: "Conversations" })).toContainText("Unsent message");
  const { body: after } = await sendRequest(`GET /v3/messages/${id}`);
  expect(after).toEqual(before);
  const { body: chat } = await sendRequest(`GET /v3/chats/${chatId}/messages`);
  expect(JSON.stringify(chat)).toContain("Not for your eyes");
});

test("messages of the line and messages over SMS have no Unsend", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Sid Sms");
  await sendRequest("POST /simulator/phones", { handle, platform: "sms_only" });
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Sid Sms");
  await say(phone, "A text over SMS");
  await sendRequest(`POST /v3/chats/${chatId}/messages`, {
    message: { parts: [{ type: "text", value: "From the line" }] },
  });
  await expect(logOf(phone)).toContainText("From the line");
  for (const text of ["A text over SMS", "From the line"]) {
    await openMenu(page, text, "Sid Sms");
    await expect(page.getByRole("menuitem", { name: "Reply" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "Unsend" })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
  }
});

async function openMenu(page: Page, text: string, person: string): Promise<void> {
  const message = logOf(phoneOf(page, person)).getByRole("article").filter({ hasText: text });
  await message.hover();
  await message.getByRole("button", { name: "Message actions" }).click();
}

test("a person shares a location, moves, and stops; the program reads where the person is", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Mo Mover");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Mo Mover");
  const open = async () => {
    const apps = phone.getByRole("toolbar", { name: "Add to message" });
    await expect(apps).toBeHidden();
    await phone.getByRole("button", { name: "Add to message" }).click();
    await apps.getByRole("button", { name: "Location" }).click();
  };
  const position = async () => (await sendRequest(`GET /v3/chats/${chatId}/location`)).body;

  await open();
  await expect(phone.getByRole("button", { name: "Stop sharing" })).toHaveCount(0);
  await phone.getByRole("button", { name: "Share for one hour" }).click();
  await expect.poll(async () => JSON.stringify(await position())).toContain("1 Ferry Building");
  await open();
  await expect(phone.getByText("Sharing 1 Ferry Building until")).toBeVisible();
  await expect(phone.getByRole("button", { name: "Move here" })).toBeDisabled();
  await expectAccessible(page);

  await phone.getByLabel("Place").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(phone.getByRole("button", { name: "Move here" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(phone.getByText("Sharing 333 Post Street until")).toBeVisible();
  expect(JSON.stringify(await position())).toContain("37.7879");
  await phone.getByRole("button", { name: "Stop sharing" }).click();
  await open();
  await expect(phone.getByRole("button", { name: "Share indefinitely" })).toBeVisible();
});

const SCREEN = { type: "screen", name: "confetti" };
const BUBBLE = { type: "bubble", name: "slam" };

test("screen and bubble effects of the line play when they arrive, and again on request", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Effie Fect");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Effie Fect");
  await expect(logOf(phone)).toBeVisible();
  const played = await watchEffects(page);
  await sendWithEffect(chatId, "Congratulations", SCREEN);
  await expect.poll(played).toEqual(["confetti: phone-fall"]);
  await expect(phone.locator(".phone-particle")).toHaveCount(0);
  await phone.getByRole("button", { name: "Sent with Confetti" }).click();
  await expect.poll(played).toEqual(["confetti: phone-fall", "confetti: phone-fall"]);

  await sendWithEffect(chatId, "Boom", BUBBLE);
  await expect.poll(async () => (await played()).slice(2)).toEqual(["slam: phone-slam"]);
  const message = logOf(phone).getByRole("article").filter({ hasText: "Boom" });
  await expect(message).not.toHaveAttribute("data-playing");
  await phone.getByRole("button", { name: "Sent with Slam" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await played()).slice(2)).toEqual(["slam: phone-slam", "slam: phone-slam"]);
});

test("the phone's own effect plays, and the program receives its name", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Ella Echo");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Ella Echo");
  const played = await watchEffects(page);
  await fieldOf(phone).fill("Hooray");
  await phone.getByRole("button", { name: "Send with effect" }).click();
  await page.getByRole("menuitem", { name: "Echo" }).click();
  await expect.poll(played).toEqual(["echo: phone-rise"]);
  const { body } = await sendRequest(`GET /v3/chats/${chatId}/messages`);
  expect(JSON.stringify(body)).toContain('"name":"echo"');
});

test("with reduced motion, effects are named and nothing moves", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Cal Calm");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Cal Calm");
  await expect(logOf(phone)).toBeVisible();
  const played = await watchEffects(page);
  const named = await watchNames(page);
  await sendWithEffect(chatId, "Surprise", SCREEN);
  await expect.poll(named).toContain("Confetti");
  await sendWithEffect(chatId, "Boom", BUBBLE);
  await expect.poll(named).toContain("Slam");
  await expect.poll(played).toEqual(["confetti: hidden", "slam: none"]);
});

/** Collects the texts that the page's status elements show to people from now on, because a name is shown only briefly. */
async function watchNames(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const names = new Set<string>();
    Object.assign(window, { namedEffects: names });
    new MutationObserver(() => {
      for (const status of document.querySelectorAll('[role="status"]')) {
        // An element that only screen readers find is one pixel wide.
        if (status.getBoundingClientRect().width > 1) names.add(status.textContent ?? "");
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => [...((window as { namedEffects?: Set<string> }).namedEffects ?? [])]);
}

/** Collects each effect that plays on the page from now on, with the animation of its first piece or its bubble. */
async function watchEffects(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const played: string[] = [];
    Object.assign(window, { playedEffects: played });
    const note = (name: string | undefined, element: Element | null) => {
      if (name === undefined || element === null) return;
      const { display, animationName } = getComputedStyle(element);
      played.push(`${name}: ${display === "none" ? "hidden" : animationName}`);
    };
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === "attributes" && target instanceof HTMLElement && target.dataset.playing === "slam") {
          note("slam", target.querySelector(".phone-bubble"));
        }
        for (const added of addedNodes) {
          if (!(added instanceof HTMLElement)) continue;
          if (added.dataset.playing === "slam") note("slam", added.querySelector(".phone-bubble"));
          const piece = added.querySelector<HTMLElement>(".phone-particle");
          note(piece?.dataset.effect, piece);
        }
      }
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-playing"] });
  });
  return () => page.evaluate(() => (window as Window & { playedEffects?: string[] }).playedEffects ?? []);
}

async function sendWithEffect(chatId: string, value: string, effect: object): Promise<void> {
  const message = { parts: [{ type: "text", value }], effect };
  expect((await sendRequest(`POST /v3/chats/${chatId}/messages`, { message })).status).toBe(202);
}

test("a recording of a voice memo, an unsent message and a moved location passes when it is replayed", async ({
  page,
}) => {
  const { handle } = await newPhone();
  await nameOf(handle, "Vera Voice");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Vera Voice");
  const apps = phone.getByRole("toolbar", { name: "Add to message" });
  const add = async (app: string) => {
    await expect(apps).toBeHidden();
    await phone.getByRole("button", { name: "Add to message" }).click();
    await apps.getByRole("button", { name: app }).click();
  };
  await page.getByRole("button", { name: "Record test" }).click();
  await add("Voice memo");
  await phone.getByRole("button", { name: "Send sample memo" }).click();
  await expect(logOf(phone).getByText("Voice memo", { exact: true })).toBeVisible();
  await say(phone, "Wrong chat");
  await openMenu(page, "Wrong chat", "Vera Voice");
  await page.getByRole("menuitem", { name: "Unsend" }).click();
  await expect(logOf(phone)).toContainText("You unsent a message");
  await add("Location");
  await phone.getByRole("button", { name: "Share indefinitely" }).click();
  await add("Location");
  await phone.getByLabel("Place").selectOption("City Hall");
  await phone.getByRole("button", { name: "Move here" }).click();
  await expect(phone.getByText("Sharing 1 Dr Carlton")).toBeVisible();
  await page.getByRole("button", { name: /^Stop \(/ }).click();

  const link = page.getByRole("dialog").getByRole("link", { name: "Download file" });
  const url = (await link.getAttribute("href")) ?? "";
  const file = decodeURIComponent(url.slice(url.indexOf(",") + 1));
  for (const step of ["voice_memo: true", "veraVoice.unsends(message", "veraVoice.movesLocation({"]) {
    expect(file).toContain(step);
  }
  expect(file).not.toContain("Left out");
  await replay(file);
});

import type { Page } from "@playwright/test";
import { newPhone, write } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

/** +15560100101 as people read it. */
const grouped = (handle: string) => handle.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "+1 $1 $2 $3");

const announced = (page: Page) =>
  page.evaluate(() => document.querySelector("next-route-announcer")?.shadowRoot?.textContent ?? "");

test("a number is shown in groups, is one word when it is read or copied, and is found as it is shown", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await page.goto(`/chats/${chatId}`);
  const heading = page.getByRole("heading", { name: handle, exact: true });
  const { gaps, selected } = await heading.evaluate((element) => {
    const boxes = [...element.querySelectorAll("[dir=ltr] > span")].map((each) =>
      each.getBoundingClientRect(),
    );
    getSelection()?.selectAllChildren(element);
    return {
      gaps: boxes.slice(1).map((box, index) => box.left - (boxes[index]?.right ?? 0)),
      selected: getSelection()?.toString(),
    };
  });
  expect(gaps).toHaveLength(3);
  for (const gap of gaps) expect(gap).toBeGreaterThan(2);
  expect(selected).toBe(handle);

  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: /^Search chats/ });
  await expect(search).toBeFocused();
  await search.fill(grouped(handle));
  const row = page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: handle });
  await expect(row).toHaveCount(1);

  await page.goto("/tokens");
  await page.keyboard.press("/");
  await page.keyboard.type(grouped(handle));
  await expect(page.getByRole("option", { name: `${handle} Customer` })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Escape");

  await write(handle, firstRun().line, "STOP");
  await page.goto(`/opt-outs?handle=${encodeURIComponent(grouped(handle))}`);
  await expect(page.getByRole("row").filter({ hasText: handle })).toHaveCount(1);
});

test("the title names the chat after the number of unread chats, live, and is not read aloud again", async ({
  page,
}) => {
  let unread = 3;
  await page.route("**/api/chats/counts", (route) =>
    route.fulfill({ json: { needs_reply: 1, unassigned: 1, mine: 0, snoozed: 0, unread } }),
  );
  const { handle, chatId } = await newPhone();
  await page.goto("/chats");
  await page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: handle }).click();
  await expect(page).toHaveURL(`/chats/${chatId}`);
  // The list has its own counts until an event comes.
  await write(handle, firstRun().line, "one more");
  await expect(page).toHaveTitle(`(3) ${grouped(handle)} · Trunkline`);

  const before = await announced(page);
  unread = 120;
  await write(handle, firstRun().line, "and one more");
  await expect(page).toHaveTitle(`(99+) ${grouped(handle)} · Trunkline`);
  expect(await announced(page)).toBe(before);

  await page.getByRole("heading", { name: handle }).getByRole("link").click();
  await expect(page).toHaveTitle(`(99+) ${grouped(handle)} · Trunkline`);
  await expect(page).toHaveURL(/\/customers\//);
  unread = 0;
  await page.goto("/lines");
  await expect(page).toHaveTitle("Lines · Trunkline");
});

import { expect, type Locator, type Page } from "@playwright/test";
import { sendRequest } from "./partner-program";

/** Opens the wall with these phones. */
export async function openWall(page: Page, handles: readonly string[]): Promise<void> {
  await page.goto(`/phones?${new URLSearchParams({ open: handles.join(",") })}`);
  await expect(page.getByRole("heading", { name: "Phones", exact: true })).toBeVisible();
}

export const phoneOf = (page: Page, name: string) => page.getByRole("region", { name: `Phone of ${name}` });
export const logOf = (phone: Locator) => phone.getByRole("log", { name: "Messages" });
export const fieldOf = (phone: Locator) => phone.getByRole("textbox", { name: /^Message from/ });

/** Names a phone, which then receives messages without a delay. */
export async function nameOf(handle: string, name: string): Promise<void> {
  await sendRequest("POST /simulator/phones", { handle, name, delay_ms: 0 });
}

/** Sends a text from a phone and waits until the phone shows the text. */
export async function say(phone: Locator, text: string): Promise<void> {
  await fieldOf(phone).fill(text);
  await phone.getByRole("button", { name: "Send", exact: true }).click();
  await expect(
    logOf(phone).getByRole("article", { name: "Your message" }).filter({ hasText: text }),
  ).toBeVisible();
}

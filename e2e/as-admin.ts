import { expect, type Page } from "@playwright/test";
import { firstRun } from "./test-instance";

/** Sends a request of the dashboard with the session of a signed-in page. */
export async function asAdmin(page: Page, operation: `${string} ${string}`, data: object) {
  const { base_url } = firstRun();
  const [method = "", path = ""] = operation.split(" ");
  const response = await page.request.fetch(`${base_url}${path}`, {
    method,
    data,
    headers: { origin: base_url },
  });
  const text = await response.text();
  expect(response.ok(), `${operation}: ${text}`).toBe(true);
  return text === "" ? null : JSON.parse(text);
}

/** Creates an account of the demo's partner. The page still shows its own account. */
export function createAccount(
  page: Page,
  name: string,
  type: "sandbox" | "production",
): Promise<{ id: string }> {
  return asAdmin(page, "POST /api/accounts", { name, type });
}

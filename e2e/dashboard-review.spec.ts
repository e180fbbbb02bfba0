import { expect, test } from "./signed-in";

test("a record that is not found keeps the header and the navigation", async ({ page }) => {
  await page.goto("/lines/00000000-0000-7000-8000-000000000000");

  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
});

test("a phone's header names the environment", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/chats");

  await expect(page.getByRole("banner").getByText("Sandbox", { exact: true })).toBeVisible();
});

test("filters of agent payments say what to enter instead of showing a number", async ({ page }) => {
  for (const path of ["/agent-payments", "/agent-payments/customers", "/opt-outs"]) {
    await page.goto(path);
    await expect(page.getByPlaceholder("Number or email")).toBeVisible();
  }
});

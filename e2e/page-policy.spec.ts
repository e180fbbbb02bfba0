import { expect, test } from "./signed-in";

const PAGES = [
  "/",
  "/chats",
  "/lines",
  "/events",
  "/settings",
  "/docs",
  "/docs/error/codes/2xxx/2008",
  "/no-such-page",
];

test("pages run no script but their own, those of the build and those of a request, and none is missed", async ({
  page,
}) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(`${page.url()}: ${message.text()}`);
  });
  for (const path of PAGES) {
    const answer = await page.goto(path);
    const policy = answer?.headers()["content-security-policy"] ?? "none";
    expect(policy, path).toMatch(/script-src 'self' '(nonce|sha256)-/);
    expect(policy, path).not.toMatch(/script-src[^;]*'unsafe-inline'/);
    await expect(page.getByRole("heading").first()).toBeVisible();
    // The class shows that next-themes has run, from an inline script.
    await expect(page.locator("html"), path).toHaveClass(/light|dark/);
  }
  expect(refused).toEqual([]);

  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'injected script ran'";
    document.body.append(script);
    return document.title === "injected script ran";
  });
  expect(ran).toBe(false);
  expect(refused).toHaveLength(1);
});

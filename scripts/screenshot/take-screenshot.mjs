import sharp from "sharp";

const README_VIEWPORT = { width: 1280, height: 760 };
const README_IMAGE_MAX_BYTES = 150_000;
const SETTLE_MS = 400;

/**
 * Captures a page in the light theme as a WebP image for the README, at twice the density of CSS pixels. Throws if the
 * image is larger than the README may load.
 */
export async function takeReadmeImage(open, { url, file }) {
  const context = await open({ viewport: README_VIEWPORT, colorScheme: "light", deviceScaleFactor: 2 });
  const page = await context.newPage();
  await openPage(page, url);
  const image = await page.screenshot({ animations: "disabled" });
  await context.close();
  const { size } = await sharp(image).webp({ quality: 80, effort: 6 }).toFile(file);
  if (size > README_IMAGE_MAX_BYTES) throw new Error(`${file} has ${size} bytes`);
}

/**
 * Captures a whole page as a PNG file. Returns the problem of the page (an error status, an error in the console, a
 * page wider than the window), or null.
 */
export async function takeScreenshot(context, url, file) {
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const status = await openPage(page, url);
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await page.screenshot({ path: file, fullPage: true, animations: "disabled" });
  await page.close();
  if (status >= 400) errors.push(`status ${status}`);
  if (excess > 0) errors.push(`${excess} px too wide`);
  return errors.length === 0 ? null : errors.join("; ");
}

async function openPage(page, url) {
  const response = await page.goto(url, { waitUntil: "load" });
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector('[data-slot="skeleton"]') === null);
  // Event streams keep the network busy, so "networkidle" never occurs. Wait briefly until images and charts are
  // rendered.
  await page.waitForTimeout(SETTLE_MS);
  return response.status();
}

// npm run timed-questions: answers five questions of support and development in a browser, on a temporary instance with demo
// data, at a person's pace: PAUSE_MS to read before each action, KEY_MS for each key. Prints the steps and seconds of each question.
// Fails if an answer is not on the page or takes longer than LIMIT_S.
import { setTimeout as sleep } from "node:timers/promises";
import { buildIfStale } from "../build.mjs";
import { ensureBrowser, findBrowser } from "../find-browser.mjs";
import { openInstance } from "../instance/open-instance.mjs";
import { fillChats, fillDemo, openDemo } from "../screenshot/fill-demo.mjs";
import { signIn } from "../screenshot/sign-in.mjs";

const PAUSE_MS = 700;
const KEY_MS = 80;
const LIMIT_S = 15;
/** The number that fillDemo opts out. */
const OPTED_OUT = "+15550100198";

await buildIfStale();
if (!(await ensureBrowser())) throw new Error("no browser found: install Chromium");
const { chromium } = await import("@playwright/test");
const server = await openInstance();
const browser = await chromium.launch(findBrowser());
try {
  const { firstRun } = server;
  const session = await signIn(browser, server.baseUrl, firstRun);
  const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const demo = openDemo({ baseUrl: server.baseUrl, firstRun, cookie });
  const { params } = await fillDemo(demo, await fillChats(demo));
  // The demo's endpoint is gone by now, so the webhooks of this message fail.
  const message = { parts: [{ type: "text", value: "Is everything all right?" }] };
  await demo.call(`POST /v3/chats/${params.chatId}/messages`, { message });
  const { requests } = await demo.callAsAdmin("GET /api/requests?status=2xx");
  const traceId = requests.find(({ trace_id }) => trace_id)?.trace_id ?? params.traceId;
  const isWell = await answerAll(questionsOf({ traceId }), session);
  process.exitCode = isWell ? 0 : 1;
} finally {
  await browser.close();
  await server.close();
}

/** Each question starts on Home. `act` clicks, types and presses as a person; `answer` is what must then be visible. */
function questionsOf({ traceId }) {
  return [
    {
      question: `Why can't I message ${OPTED_OUT}?`,
      act: async (person) => {
        await person.press("Control+k");
        await person.type(OPTED_OUT);
        await person.press("Enter");
      },
      answer: (page) => page.getByText(/asked to receive no further messages|opted out/i).first(),
    },
    {
      question: "A webhook failed: why?",
      act: async (person, page) => {
        await person.click(page.getByRole("link", { name: "Webhooks", exact: true }));
        await person.click(page.getByRole("link", { name: /127\.0\.0\.1:\d+\/hook/ }).first());
        await person.click(
          page
            .getByRole("row")
            .filter({ hasText: /Retrying|Failed/ })
            .getByRole("link")
            .first(),
        );
      },
      answer: (page) =>
        page
          .getByRole("article", { name: "Attempt 1", exact: true })
          .getByText(/refused/i)
          .first(),
    },
    {
      question: "What happened to a trace?",
      act: async (person) => {
        await person.press("Control+k");
        await person.paste(traceId);
        await person.press("Enter");
      },
      answer: (page) => page.getByRole("heading", { level: 1, name: /trace/i }),
    },
    {
      question: "How do I roll a token?",
      act: async (person, page) => {
        await person.click(page.getByRole("link", { name: "API tokens", exact: true }));
        await person.click(page.getByRole("button", { name: "Roll First token" }));
        await person.click(page.getByRole("button", { name: "Roll token" }));
      },
      answer: (page) => page.getByTestId("rolled-token"),
    },
    {
      question: "Who did what?",
      act: async (person, page) => {
        await person.click(page.getByRole("link", { name: "Settings", exact: true }));
        await person.click(page.getByRole("link", { name: "Audit log", exact: true }));
      },
      answer: (page) => page.getByRole("row").filter({ hasText: "Admin" }).first(),
    },
  ];
}

async function answerAll(questions, storageState) {
  process.stdout.write("| question | steps | seconds |\n| --- | --- | --- |\n");
  let isWell = true;
  for (const { question, act, answer } of questions) {
    const context = await browser.newContext({ baseURL: server.baseUrl, storageState });
    const page = await context.newPage();
    await page.goto("/");
    await page.locator("html[data-hydrated=true]").waitFor();
    const person = newPerson(page);
    const startedAt = performance.now();
    await act(person, page);
    await answer(page).waitFor({ timeout: LIMIT_S * 1000 });
    await sleep(PAUSE_MS);
    const seconds = (performance.now() - startedAt) / 1000;
    isWell &&= seconds <= LIMIT_S;
    process.stdout.write(`| ${question} | ${person.steps()} | ${seconds.toFixed(1)} |\n`);
    await context.close();
  }
  return isWell;
}

/** Reads before each action, and types one key after the other. Waits for what is clicked, as for a page that loads. */
function newPerson(page) {
  let steps = 0;
  const step = async () => {
    steps++;
    await sleep(PAUSE_MS);
  };
  return {
    steps: () => steps,
    async click(target) {
      await target.waitFor();
      await step();
      await target.click();
    },
    async press(key) {
      await step();
      await page.keyboard.press(key);
    },
    async type(text) {
      await step();
      await page.keyboard.type(text, { delay: KEY_MS });
      await page.getByRole("option").filter({ hasText: text }).first().waitFor();
    },
    async paste(text) {
      await step();
      await page.keyboard.insertText(text);
      await page.getByRole("option").first().waitFor();
    },
  };
}

import { beforeEach, expect, test, vi } from "vitest";
import { EMPTY_DRAFT } from "@/components/composer/draft";
import { UNDO_MS } from "@/components/composer/undo-send";

/** The texts that were sent, and how each request ends. */
let sent: string[];
let answers: (() => void)[];
let storage: Record<string, string>;
/** The browser has no room for more. */
let isFull: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  sent = [];
  answers = [];
  storage = {};
  isFull = false;
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException("full", "QuotaExceededError");
      storage[key] = value;
    },
    removeItem: (key: string) => delete storage[key],
  };
  vi.stubGlobal("localStorage", new Proxy(storage, { get: (_, name) => Reflect.get(methods, name) }));
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", (_path: string, { body, keepalive }: RequestInit) => {
    const text: string = JSON.parse(String(body)).message.parts[0].value;
    sent.push(keepalive ? `${text} (keepalive)` : text);
    return new Promise((resolve) => {
      answers.push(() => resolve(Response.json({ message: { id: text } })));
    });
  });
});

const load = async () => ({
  ...(await import("@/components/composer/outbox")),
  ...(await import("@/components/composer/page-messages")),
});
type Outbox = Awaited<ReturnType<typeof load>>;

function write(outbox: Outbox, chatId: string, text: string, holdMs: number): void {
  const draft = { ...EMPTY_DRAFT, text };
  outbox.addUnsent({ key: text, sender: "me", chatId, draft, override: null }, holdMs);
}

/** Answers one request and lets what waits for it go on. */
async function answer(): Promise<void> {
  answers.shift()?.();
  await vi.advanceTimersByTimeAsync(0);
}

test("a message waits for the held ones of its chat only, and each hold ends by itself", async () => {
  const outbox = await load();
  write(outbox, "a", "a1", UNDO_MS);
  write(outbox, "a", "a2", 0);
  write(outbox, "b", "b1", 0);

  void outbox.releaseHeld("me", "over");
  expect(sent).toEqual(["b1"]);
  await answer();
  expect(sent).toEqual(["b1"]);
  expect(outbox.nextReleaseMs("me")).toBe(UNDO_MS);

  vi.setSystemTime(Date.now() + UNDO_MS);
  void outbox.releaseHeld("me", "over");
  await answer();
  await answer();
  expect(sent).toEqual(["b1", "a1", "a2"]);
  expect(outbox.takeBack("a1")).toBe(false);
});

test("a message that was taken back is never sent, and a clock that was set back holds none longer", async () => {
  const outbox = await load();
  write(outbox, "a", "taken", UNDO_MS);
  write(outbox, "a", "kept", UNDO_MS);
  expect(outbox.takeBack("taken")).toBe(true);

  vi.setSystemTime(Date.now() - 3_600_000);
  expect(outbox.nextReleaseMs("me")).toBe(0);
  void outbox.releaseHeld("me", "over");
  expect(sent).toEqual(["kept"]);
});

/** A new page of the same browser, on which `sender` is signed in. */
async function nextPage(sender = "me"): Promise<Outbox> {
  vi.resetModules();
  const outbox = await load();
  outbox.takeOverLeft(sender);
  return outbox;
}

const statesOf = (outbox: Outbox) => outbox.listUnsent().map(({ key, state }) => [key, state]);
const refuse = (text: string) => {
  const failure = { error: { code: 2024, message: text } };
  vi.stubGlobal("fetch", async () => Response.json(failure, { status: 403 }));
};

test("a page that is closed sends the first message of each chat, and the next one sends all in their order", async () => {
  const outbox = await load();
  const large = "x".repeat(30_000);
  for (const [chatId, text] of [
    ["a", "a1"],
    ["b", "b1"],
    ["a", "a2"],
    ["c", large],
    ["b", "b2"],
  ] as const) {
    write(outbox, chatId, text, UNDO_MS);
  }
  // One of the chat is being sent when the page is closed.
  void outbox.releaseChat("me", "b");
  outbox.sendBeforeLeaving("me", true);
  expect(sent.map((text) => text.slice(0, 20))).toEqual(["b1", "a1 (keepalive)", large.slice(0, 20)]);

  const next = await nextPage();
  expect(statesOf(next)).toEqual(["a1", "b1", "a2", large, "b2"].map((key) => [key, "waiting"]));
  // The browser shows the closed page again: another one has its messages.
  outbox.takeOverLeft("me");
  expect(outbox.listUnsent()).toEqual([]);
  void next.deliverUnsent("me");
  // The requests of the closed page are answered first, and no page reads the answers. Chats do not wait for each other.
  for (let count = 0; count < 8; count++) await answer();
  expect(sent.slice(3)).toEqual(["a1", "b1", large, "a2", "b2"]);
  expect(statesOf(next).map(([, state]) => state)).toEqual(Array(5).fill("accepted"));
  expect(storage).toEqual({});
});

test("messages keep their order when the clock is set back", async () => {
  const outbox = await load();
  write(outbox, "a", "first", 0);
  vi.setSystemTime(Date.now() - 60_000);
  write(outbox, "a", "second", UNDO_MS);
  expect(outbox.nextReleaseMs("me")).toBe(UNDO_MS);
  outbox.sendBeforeLeaving("me", true);
  expect(statesOf(await nextPage()).map(([key]) => key)).toEqual(["first", "second"]);
});

test("a message that could not be stored stays in its page, which asks before it is closed", async () => {
  const outbox = await load();
  write(outbox, "a", "stored", 0);
  isFull = true;
  write(outbox, "a", "not stored", 0);
  refuse("opted out");
  await outbox.deliverUnsent("me");
  expect(outbox.isNeeded("me")).toBe(true);
  outbox.takeOverLeft("me");
  outbox.dropTaken();
  outbox.leaveOthers("another");
  expect(statesOf(outbox)).toEqual([["not stored", "refused"]]);
  expect(outbox.isNeeded("another")).toBe(true);

  isFull = false;
  outbox.takeOverLeft("another");
  expect(outbox.isNeeded("another")).toBe(false);
  expect(storage).toHaveProperty(["trunkline:unsent:not stored"]);
});

test("a page takes over messages of its own sender only, and leaves those of the one before", async () => {
  const outbox = await load();
  write(outbox, "a", "mine", 0);
  outbox.leaveOthers(null);
  expect(outbox.listUnsent()).toEqual([]);
  expect((await nextPage("another")).listUnsent()).toEqual([]);
  expect(statesOf(await nextPage())).toEqual([["mine", "waiting"]]);
});

test("a message waits, neither sent nor refused, while another user or account is signed in", async () => {
  const outbox = await load();
  const fetch = vi.fn(async () =>
    Response.json({ error: { code: 2005, message: "Another user" } }, { status: 409 }),
  );
  vi.stubGlobal("fetch", fetch);
  write(outbox, "a", "a1", 0);
  await outbox.deliverUnsent("me");
  expect(fetch).toHaveBeenCalledWith(
    "/api/chats/a/messages",
    expect.objectContaining({ headers: expect.objectContaining({ "x-sender": "me" }) }),
  );
  expect(outbox.listUnsent()).toMatchObject([
    { state: "waiting", tries: 0, refusal: { message: expect.stringContaining("another user or account") } },
  ]);

  // An answer was lost, then the message is refused: it may have been accepted.
  vi.stubGlobal("fetch", async () => new Response(null, { status: 502 }));
  await outbox.deliverUnsent("me");
  refuse("opted out");
  await outbox.deliverUnsent("me");
  expect(outbox.listUnsent()).toMatchObject([{ state: "refused", isUncertain: true }]);

  write(outbox, "b", "b1", 0);
  await outbox.deliverUnsent("me");
  outbox.retryUnsent("b1");
  await outbox.deliverUnsent("me");
  expect(outbox.listUnsent().at(-1)).toMatchObject({ state: "refused", isUncertain: false });
});

test("after a suspension, an open page does not send what is old, nor take what another page has", async () => {
  const outbox = await load();
  const other = await nextPage();
  write(outbox, "a", "held", UNDO_MS);
  write(outbox, "b", "sending", 0);
  write(other, "c", "of the other", UNDO_MS);
  void outbox.deliverUnsent("me");
  vi.setSystemTime(Date.now() + 86_400_000);

  void outbox.releaseHeld("me", "over");
  outbox.takeOverLeft("me");
  vi.stubGlobal("fetch", () => Promise.reject(new Error("aborted")));
  await answer();
  expect(statesOf(outbox)).toEqual([
    ["held", "refused"],
    ["sending", "accepted"],
  ]);
  expect(sent).toEqual(["sending"]);

  other.dropTaken();
  expect(statesOf(other)).toEqual([["of the other", "refused"]]);
  await vi.advanceTimersByTimeAsync(130_000);
  outbox.takeOverLeft("me");
  expect(outbox.listUnsent()).toHaveLength(2);
});

test("what another page deleted is neither sent nor stored again", async () => {
  const outbox = await load();
  write(outbox, "a", "a1", UNDO_MS);
  write(outbox, "b", "b1", 0);
  for (const key of Object.keys(storage)) delete storage[key];
  void outbox.releaseHeld("me", "all");
  expect(sent).toEqual([]);
  expect(storage).toEqual({});
});

test("what an earlier version stored with the tab is taken over", async () => {
  const entry = (key: string, state: string, tries: number) => ({
    ...{ key, state, tries, sender: "me", chatId: "a", override: null, refusal: null, messageId: null },
    draft: { ...EMPTY_DRAFT, text: key },
  });
  const tab: Record<string, string> = {
    "trunkline:unsent": JSON.stringify([
      entry("sending", "sending", 1),
      entry("held", "held", 0),
      entry("refused", "refused", 1),
      entry("accepted", "accepted", 1),
    ]),
  };
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => tab[name] ?? null,
    setItem: (name: string, value: string) => Object.assign(tab, { [name]: value }),
    removeItem: (name: string) => delete tab[name],
  });
  const outbox = await load();
  const { moveEarlier } = await import("@/components/composer/move-earlier");
  isFull = true;
  moveEarlier();
  expect(JSON.parse(tab["trunkline:unsent"] ?? "")).toHaveLength(3);
  isFull = false;
  moveEarlier();
  expect(tab).toEqual({});
  outbox.takeOverLeft("me");
  expect(outbox.listUnsent()).toMatchObject([
    { key: "sending", state: "waiting", isUncertain: true },
    { key: "held", state: "waiting", isUncertain: false },
    { key: "refused", state: "refused", isUncertain: false },
  ]);
  tab["trunkline:unsent"] = "[]";
  outbox.clearUnsent(null);
  expect(tab).toEqual({});
});

test("a page has its messages for itself: a duplicated tab shows none, until the page has ended", async () => {
  const outbox = await load();
  write(outbox, "a", "held", UNDO_MS);
  const other = await nextPage();
  expect(other.listUnsent()).toEqual([]);

  for (let count = 0; count < 2; count++) {
    await vi.advanceTimersByTimeAsync(140_000);
    outbox.takeOverLeft("me");
    other.takeOverLeft("me");
  }
  expect(other.listUnsent()).toEqual([]);
  expect(outbox.takeBack("held")).toBe(true);

  write(outbox, "a", "of a page that was killed", UNDO_MS);
  await vi.advanceTimersByTimeAsync(100_000);
  other.takeOverLeft("me");
  await vi.advanceTimersByTimeAsync(51_000);
  other.takeOverLeft("me");
  expect(statesOf(other)).toEqual([["of a page that was killed", "waiting"]]);
  outbox.dropTaken();
  expect(outbox.listUnsent()).toEqual([]);
  other.clearUnsent(null);
  expect(storage).toEqual({});
});

test("what a later page finds after ten minutes is shown instead of being sent, and is forgotten after a week", async () => {
  const outbox = await load();
  write(outbox, "a", "never tried", UNDO_MS);
  write(outbox, "b", "tried", 0);
  void outbox.deliverUnsent("me");
  const left = Object.entries(storage);
  await vi.advanceTimersByTimeAsync(601_000);

  const next = await nextPage();
  expect(next.listUnsent()).toMatchObject([
    {
      key: "never tried",
      state: "refused",
      isUncertain: false,
      refusal: { message: "This message was not sent, because its page was closed or suspended." },
    },
    {
      key: "tried",
      state: "refused",
      isUncertain: true,
      refusal: { message: expect.stringContaining("sent, because its page was closed or suspended. Retry") },
    },
  ]);
  await next.deliverUnsent("me");
  expect(sent).toEqual(["tried"]);

  Object.assign(storage, Object.fromEntries(left));
  await vi.advanceTimersByTimeAsync(7 * 86_400_000);
  expect((await nextPage()).listUnsent()).toEqual([]);
  expect(storage).toEqual({});
});

test("the release of a chat says whether something of it was left", async () => {
  const outbox = await load();
  write(outbox, "a", "a1", UNDO_MS);
  write(outbox, "b", "b1", UNDO_MS);
  const released = outbox.releaseChat("me", "a");
  await answer();
  expect(await released).toBe(true);
  expect(sent).toEqual(["a1"]);

  refuse("opted out");
  expect(await outbox.releaseChat("me", "b")).toBe(false);
  await expect(outbox.requireNoneLeft("me", "b")).rejects.toThrow("was not sent yet");
  expect(statesOf(outbox)).toEqual([
    ["a1", "accepted"],
    ["b1", "refused"],
  ]);
});

test("the user is asked before the session ends with a message that was not accepted, which the end forgets", async () => {
  const outbox = await load();
  const { askToLeave } = await import("@/components/composer/ask-to-leave");
  const ask = vi.fn(() => false);
  vi.stubGlobal("window", { confirm: ask });
  write(outbox, "a", "a1", UNDO_MS);
  const leaving = askToLeave("me", "Sign out");
  await answer();
  expect(await leaving).toBe(true);
  expect(ask).not.toHaveBeenCalled();

  refuse("opted out");
  write(outbox, "b", "b1", UNDO_MS);
  expect(await askToLeave("me", "Sign out")).toBe(false);
  expect(ask).toHaveBeenCalledWith("1 message was not sent. Sign out anyway?");

  // Another page has one of the user in another account, and one of another user; one can't be read.
  const left = JSON.parse(storage["trunkline:unsent:b1"] ?? "");
  for (const sender of ["other me", "other you"]) {
    storage[`trunkline:unsent:${sender}`] = JSON.stringify({ ...left, sender, key: sender, page: "another" });
  }
  storage["trunkline:unsent:bad"] = "{";
  await askToLeave("me", "Sign out");
  expect(ask).toHaveBeenLastCalledWith("2 messages were not sent. Sign out anyway?");
  await askToLeave("me", "Switch the account");
  expect(ask).toHaveBeenLastCalledWith("1 message was not sent. Switch the account anyway?");
  await askToLeave("other me", "Switch the account");
  expect(ask).toHaveBeenLastCalledWith("1 message was not sent. Switch the account anyway?");
  await askToLeave(null, "Sign out");
  expect(ask).toHaveBeenLastCalledWith("3 messages were not sent. Sign out anyway?");

  ask.mockReturnValue(true);
  const go = vi.fn();
  vi.stubGlobal("location", { assign: go });
  const { signOut } = await import("@/components/shell/sign-out");
  await expect(signOut("me", () => Promise.reject(new Error("wrong password")))).rejects.toThrow();
  expect(statesOf(outbox).at(-1)).toEqual(["b1", "refused"]);
  storage.kept = "of something else";
  expect(await signOut("me", async () => {}, "/sign-in?email=me")).toBe(true);
  expect(go).toHaveBeenCalledExactlyOnceWith("/sign-in?email=me");
  // The other user was not asked, and finds the message.
  expect(Object.keys(storage)).toEqual(["trunkline:unsent:other you", "kept"]);
  expect(outbox.listUnsent()).toEqual([]);
  await signOut(null, async () => {});
  expect(storage).toEqual({ kept: "of something else" });
});

/** The status and the code of an answer, what it makes of a message, and its headers. */
type AnswerCase = [number, number | undefined, string, object, Record<string, string>?];

test.each<AnswerCase>([
  // A limit is final: it says when to try again.
  [429, 1007, "refused", { tries: 1, refusal: { code: 1007, message: "Why" } }],
  [503, 4009, "refused", { refusal: { code: 4009 } }],
  [403, 2024, "refused", { isUncertain: false }],
  // The check for RCS did not run, so nothing was accepted.
  [503, 4010, "waiting", { tries: 0, refusal: { message: expect.stringMatching(/^Not sent yet.*“Why”/) } }],
  // The database did not answer, and may have stored the message.
  [503, 4004, "waiting", { tries: 1, refusal: { message: expect.stringMatching(/^Not confirmed.*“Why”/) } }],
  [409, 2005, "waiting", { tries: 0, refusal: { message: expect.stringContaining("another user") } }],
  [401, 2004, "waiting", { tries: 0, refusal: { message: expect.stringContaining("signed out") } }],
  // Answers of a proxy have no code.
  [429, undefined, "waiting", { tries: 1, refusal: null }],
  [503, undefined, "waiting", { tries: 1, refusal: null }],
  [500, undefined, "waiting", { tries: 1, refusal: null }],
  [524, undefined, "waiting", { tries: 1, refusal: null }],
  [408, undefined, "waiting", { tries: 1, refusal: null }],
  [413, undefined, "refused", { isUncertain: false }],
  // RCS is off: it stays off.
  [503, 4004, "refused", { isUncertain: false, refusal: { code: 4004 } }, { "x-should-retry": "false" }],
  [503, 4004, "waiting", { tries: 1 }, { "x-should-retry": "true" }],
  [409, 2005, "waiting", { tries: 0 }, { "x-should-retry": "false" }],
])("an answer %i with code %s leaves a message %s", async (...answer) => {
  const [status, code, state, more, headers = {}] = answer;
  const outbox = await load();
  vi.stubGlobal("location", { pathname: "/", search: "", assign: () => {} });
  vi.stubGlobal("fetch", async () => Response.json({ error: { code, message: "Why" } }, { status, headers }));
  write(outbox, "a", "a1", 0);
  await outbox.deliverUnsent("me");
  expect(outbox.listUnsent()).toMatchObject([{ state, ...more }]);
});

test("a chat whose send is not answered holds up no other chat, nor what is released there", async () => {
  const outbox = await load();
  write(outbox, "a", "a1", 0);
  write(outbox, "a", "a2", 0);
  write(outbox, "b", "b1", 0);
  void outbox.deliverUnsent("me");
  expect(sent).toEqual(["a1", "b1"]);
  answers.pop()?.();
  await vi.advanceTimersByTimeAsync(0);
  write(outbox, "b", "b2", UNDO_MS);
  const released = outbox.releaseChat("me", "b");
  answers.pop()?.();
  expect(await released).toBe(true);
  expect(sent).toEqual(["a1", "b1", "b2"]);
  expect(statesOf(outbox).slice(0, 2)).toEqual([
    ["a1", "sending"],
    ["a2", "waiting"],
  ]);
});

test("a message that only another user or account could send is given up after ten minutes", async () => {
  const outbox = await load();
  const other = { error: { code: 2005, message: "Another user" } };
  vi.stubGlobal("fetch", async () => Response.json(other, { status: 409 }));
  write(outbox, "a", "a1", 0);
  for (let minute = 0; minute <= 10; minute++) {
    await outbox.deliverUnsent("me");
    expect(outbox.listUnsent()).toMatchObject([{ state: "waiting" }]);
    await vi.advanceTimersByTimeAsync(minute === 10 ? 1 : 60_000);
    outbox.takeOverLeft("me");
  }
  await outbox.deliverUnsent("me");
  expect(outbox.listUnsent()).toMatchObject([
    {
      state: "refused",
      isUncertain: false,
      refusal: {
        message: "This message was not sent, because another user or account is signed in in this browser.",
      },
    },
  ]);
});

test("after an outage, the ten minutes count from the first answer, and from a retry", async () => {
  const outbox = await load();
  const away = async () => Response.json({ error: { code: 4004, message: "Away" } }, { status: 503 });
  const wait = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await vi.advanceTimersByTimeAsync(60_000);
      outbox.takeOverLeft("me");
    }
    await outbox.deliverUnsent("me");
    return outbox.listUnsent()[0]?.state;
  };
  write(outbox, "a", "a1", 0);
  vi.stubGlobal("fetch", away);
  expect(await wait(1)).toBe("waiting");
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  expect(await wait(60)).toBe("waiting");
  vi.stubGlobal("fetch", away);
  expect(await wait(1)).toBe("waiting");
  expect(await wait(10)).toBe("waiting");
  expect(await wait(1)).toBe("refused");
  outbox.retryUnsent("a1");
  expect(await wait(1)).toBe("waiting");
});

/** The Web Locks of a browser. `kill` ends the page that was opened last, as a crash does. */
function installLocks() {
  const held: { name: string }[] = [];
  const locks = {
    request: (name: string, hold: () => Promise<void>) => {
      held.push({ name });
      return hold().then(() =>
        held.splice(
          held.findIndex((each) => each.name === name),
          1,
        ),
      );
    },
    query: async () => ({ held, pending: [] }),
  };
  vi.stubGlobal("navigator", { onLine: true, locks });
  return { held, kill: () => held.pop() };
}

test("what a killed page had is taken over at once, before anything of its chat is sent; an open page keeps its own", async () => {
  const { held, kill } = installLocks();
  const open = await load();
  await open.takeOverEnded("me");
  write(open, "b", "of an open page", UNDO_MS);
  const killed = await nextPage();
  await killed.takeOverEnded("me");
  expect(killed.listUnsent()).toEqual([]);
  write(killed, "a", "first", 0);
  void killed.deliverUnsent("me");
  kill();

  const next = await nextPage();
  expect(next.listUnsent()).toEqual([]);
  const { sendOrKeep } = await import("@/components/composer/send-or-keep");
  const draft = { ...EMPTY_DRAFT, text: "second" };
  await sendOrKeep({ sender: "me", chatId: "a", draft, override: null }, () => {});
  expect(next.listUnsent()).toMatchObject([
    { key: "first", state: "waiting", tries: 1 },
    { draft, state: "held" },
  ]);
  expect(statesOf(open)).toEqual([["of an open page", "held"]]);

  // A page that is closed ends its lock, and gets another if it is shown again.
  expect(held).toHaveLength(2);
  next.sendBeforeLeaving("me", true);
  await vi.advanceTimersByTimeAsync(0);
  expect(held).toHaveLength(1);
  next.takeOverLeft("me");
  await next.takeOverEnded("me");
  expect(held).toHaveLength(2);
});

test("a message that is not held is stored before it is sent: a later page sends it once, with its key", async () => {
  storage["trunkline:undo-send"] = "off";
  const drafts: Record<string, string> = { "trunkline:draft:a": "written" };
  vi.stubGlobal("sessionStorage", { removeItem: (name: string) => delete drafts[name] });
  const bodies: string[] = [];
  vi.stubGlobal("fetch", (_path: string, { body }: RequestInit) => {
    bodies.push(String(body));
    expect(Object.values(storage).join()).toContain("hi there");
    return new Promise((resolve) => {
      answers.push(() => resolve(Response.json({ message: { id: "1" } })));
    });
  });
  const { sendOrKeep } = await import("@/components/composer/send-or-keep");
  const written = { sender: "me", chatId: "a", draft: { ...EMPTY_DRAFT, text: "hi there" }, override: null };
  const first = await load();
  const clear = vi.fn();
  void sendOrKeep({ ...written, lastMessageId: "seen" }, clear);
  // What is added to the composer from now on belongs to the next message.
  expect(clear).toHaveBeenCalledOnce();
  expect(first.listUnsent()).toMatchObject([{ state: "sending", isInComposer: true }]);
  expect(drafts).toEqual({});
  first.sendBeforeLeaving("me", true);

  const next = await nextPage();
  expect(next.listUnsent()).toMatchObject([{ state: "waiting", isInComposer: false, tries: 1 }]);
  void next.deliverUnsent("me");
  const [one, two] = bodies.map((body) => JSON.parse(body));
  expect(two.message).toEqual(one.message);
  expect([one.last_message_id, two.last_message_id]).toEqual([undefined, "seen"]);
});

test("a message that is not held ends in the timeline, or in the thread with the reason", async () => {
  storage["trunkline:undo-send"] = "off";
  const outbox = await load();
  const { sendOrKeep } = await import("@/components/composer/send-or-keep");
  const written = { sender: "me", chatId: "a", draft: { ...EMPTY_DRAFT, text: "hi" }, override: null };
  const sending = sendOrKeep(written, () => {});
  await answer();
  expect(await sending).toBe("hi");
  expect(outbox.listUnsent()).toEqual([]);
  expect(Object.keys(storage)).toEqual(["trunkline:undo-send"]);

  refuse("opted out");
  expect(await sendOrKeep(written, () => {})).toBe(null);
  expect(outbox.listUnsent()).toMatchObject([
    { state: "refused", isInComposer: false, isUncertain: false, refusal: { message: "opted out" } },
  ]);
});

test("nothing is held when the user has turned it off, or without a connection", async () => {
  const { currentHoldMs } = await import("@/components/composer/send-or-keep");
  expect(currentHoldMs()).toBe(UNDO_MS);
  storage["trunkline:undo-send"] = "off";
  expect(currentHoldMs()).toBe(0);
  delete storage["trunkline:undo-send"];
  vi.stubGlobal("navigator", { onLine: false });
  expect(currentHoldMs()).toBe(0);
});

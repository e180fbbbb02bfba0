import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followEvents, type StreamStatus } from "@/lib/client/follow-events";

/** The browser's EventSource, without a network: the test is the server. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  readyState = 1;
  constructor(readonly url: string) {
    super();
    FakeSource.opened.push(this);
  }
  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
  say(type: string, data: unknown = {}, lastEventId = ""): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }));
  }
}

const network = new EventTarget();
let statuses: StreamStatus[];
let seen: number[];
let following: { stop(): void };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeSource);
  vi.stubGlobal("window", network);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal("fetch", async () => Response.json({ events: [] }));
  FakeSource.opened = [];
  statuses = [];
  seen = [];
  following = followEvents({
    address: (after) => `/stream?after=${after}`,
    after: 4,
    onEvent: ({ seq }) => seen.push(seq),
    onReady: () => {},
    onStatus: (status) => statuses.push(status),
  });
  latest().say("ready", {}, "4");
});

afterEach(() => {
  following.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function latest(): FakeSource {
  const source = FakeSource.opened.at(-1);
  if (source === undefined) throw new Error("no stream was opened");
  return source;
}

test("a stream with heartbeats stays live", async () => {
  for (let minute = 0; minute < 15; minute++) {
    await vi.advanceTimersByTimeAsync(4000);
    latest().say("heartbeat");
  }

  expect(statuses).toEqual(["live"]);
  expect(FakeSource.opened).toHaveLength(1);
});

test("a stream that falls silent is lost within ten seconds, and goes on after the last event", async () => {
  latest().say("message", { seq: 7 });
  await vi.advanceTimersByTimeAsync(10_000);

  expect(statuses).toEqual(["live", "reconnecting"]);
  expect(FakeSource.opened.map(({ url }) => url)).toEqual(["/stream?after=4", "/stream?after=7"]);
  expect(FakeSource.opened[0]?.readyState).toBe(FakeSource.CLOSED);
  latest().say("ready", {}, "7");
  expect(statuses.at(-1)).toBe("live");
  expect(seen).toEqual([7]);
});

test("a browser that goes offline is shown at once, and reconnects as soon as it is online", async () => {
  network.dispatchEvent(new Event("offline"));
  expect(statuses).toEqual(["live", "reconnecting"]);

  network.dispatchEvent(new Event("online"));
  latest().say("ready", {}, "4");

  expect(statuses.at(-1)).toBe("live");
  expect(FakeSource.opened).toHaveLength(2);
});

test("a question whether the server answers that ends late does not close the stream that is open by then", async () => {
  let refuse = (): void => {};
  vi.stubGlobal("fetch", () => new Promise((_, reject) => (refuse = () => reject(new TypeError("failed")))));
  network.dispatchEvent(new Event("offline"));
  await vi.advanceTimersByTimeAsync(1000);
  network.dispatchEvent(new Event("online"));

  refuse();
  await vi.advanceTimersByTimeAsync(0);

  expect(latest().readyState).toBe(1);
});

test("a stopped stream opens no other, whatever the network does", async () => {
  following.stop();
  network.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);

  expect(FakeSource.opened).toHaveLength(1);
});

import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { expect, test } from "vitest";
import { openStream } from "@/lib/runtime/streams/stream-writer";

test("a reader that does not read is cut off at 256 KB with a last word, and nothing is kept for it after that", async () => {
  const { stream, writer } = openStream({ cutOff: "too slow" });
  for (let kilobytes = 0; kilobytes < 300; kilobytes++) writer.write("x".repeat(1024));

  expect(writer.closed.aborted).toBe(true);
  const unread = await new Response(stream).text();
  expect(unread.length).toBe(256 * 1024 + "too slow".length);
  expect(unread.endsWith("too slow")).toBe(true);
});

test("a reader that gives no room for a while is cut off", async () => {
  const { writer } = openStream({ stallMs: 20 });
  for (let kilobytes = 0; kilobytes < 256; kilobytes++) writer.write("x".repeat(1024));

  await writer.drained();

  expect(writer.closed.aborted).toBe(true);
});

test("unread data is dropped a while after the end, with the connection", async () => {
  const { stream, writer } = openStream({ lingerMs: 20 });
  writer.write("never read");
  writer.close("the last word");

  await sleep(60);

  await expect(stream.getReader().read()).rejects.toThrow("did not read");
});

test("a writer that waits for room is let go on once the reader reads", async () => {
  const { stream, writer } = openStream();
  for (let kilobytes = 0; kilobytes < 256; kilobytes++) writer.write("x".repeat(1024));
  let resumed = false;
  void writer.drained().then(() => {
    resumed = true;
  });

  await sleep(20);
  expect(resumed).toBe(false);
  await stream.getReader().read();

  await expect.poll(() => resumed).toBe(true);
});

test("a connection whose reader takes nothing is closed, after a bounded number of bytes", async () => {
  const { stream, writer } = openStream({ stallMs: 100, lingerMs: 100 });
  const answer = getRequestListener(() => new Response(stream));
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const connections = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

  let written = 0;
  while (!writer.closed.aborted && written < 64 * 1024 * 1024) {
    await writer.drained();
    writer.write("x".repeat(64 * 1024));
    written += 64 * 1024;
  }

  expect(writer.closed.aborted).toBe(true);
  await expect.poll(connections).toBe(0);
  client.destroy();
  server.close();
});

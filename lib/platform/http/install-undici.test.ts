import { expect, test } from "vitest";
import { installUndici } from "@/lib/platform/http/install-undici";
import { startEndingServer } from "@/lib/testing/servers/start-ending-server";

const SIZE = 128 * 1024;

installUndici();

test.each([SIZE, SIZE + 1])(
  "the built-in fetch survives a server that closes the connection while %d declared bytes are read",
  async (declared) => {
    const server = await startEndingServer(declared, SIZE);
    const response = await fetch(server.url);
    await server.ended;
    // A timer turn: the connection's end is handled before the body is read.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const size = response.arrayBuffer().then((bytes) => bytes.byteLength);
    if (declared === SIZE) expect(await size).toBe(SIZE);
    else await expect(size).rejects.toThrow();
    await server.close();
  },
);

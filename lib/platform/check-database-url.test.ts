import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, inject, test } from "vitest";
import { requireUsableDatabase } from "@/lib/platform/check-database-url";
import { findFreePort } from "@/lib/platform/find-free-port";

const { url } = inject("testServer");

async function messageOf(databaseUrl: string): Promise<string> {
  return requireUsableDatabase(databaseUrl).then(
    () => "usable",
    (error: Error) => error.message,
  );
}

function changed(change: (parts: URL) => void): string {
  const parts = new URL(url);
  change(parts);
  return parts.toString();
}

test("a PostgreSQL that can be used passes", async () => {
  expect(await messageOf(url)).toBe("usable");
});

test.each([
  ["mysql://root@localhost/db", /DATABASE_URL is not a PostgreSQL URL/],
  ["localhost:5432", /DATABASE_URL is not a PostgreSQL URL/],
  ["postgresql://u:secret@one:5432,two:5432/db", /DATABASE_URL names several hosts \(one:5432,two:5432\)/],
  ["postgresql://u:secret@host:notaport/db", /DATABASE_URL is not a valid URL/],
])(
  "%s is refused with a sentence that names the setting, and without the password",
  async (databaseUrl, sentence) => {
    const message = await messageOf(databaseUrl);
    expect(message).toMatch(sentence);
    expect(message).not.toContain("secret");
  },
);

test("who does not answer, and what is refused, is named", async () => {
  const port = await findFreePort();
  expect(await messageOf(`postgresql://u:secret@127.0.0.1:${port}/db`)).toBe(
    `DATABASE_URL: no server is listening on 127.0.0.1:${port} (ECONNREFUSED). Start PostgreSQL.`,
  );
  expect(await messageOf(changed((parts) => (parts.pathname = "/missing_database")))).toMatch(
    /^DATABASE_URL: the database missing_database does not exist/,
  );
  expect(await messageOf("postgresql://u:secret@nowhere.invalid/db")).toMatch(
    /^DATABASE_URL: the host nowhere.invalid could not be resolved/,
  );
});

test("a pooler that gives one session to several clients is refused", async () => {
  const pooler = await startPooler();
  expect(await messageOf(pooler.url)).toMatch(
    /^DATABASE_URL points to a connection pooler in transaction mode/,
  );
  await pooler.close();
});

test("a pooler that refuses the settings of a session is named", async () => {
  const pooler = await startPooler("unsupported startup parameter: options");
  expect(await messageOf(pooler.url)).toMatch(
    /^DATABASE_URL: the pooler at .* rejects the startup parameter/,
  );
  await pooler.close();
});

/** What PgBouncer in transaction mode looks like to two clients: both are served by the backend 4711. */
async function startPooler(refusal?: string) {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type, 0);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ready = message("Z", Buffer.from("I"));
  const column = Buffer.concat([
    Buffer.from([0, 1]),
    Buffer.from("pid\0"),
    Buffer.from([0, 0, 0, 0, 0, 0]),
    Buffer.from([0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0]),
  ]);
  const answer = Buffer.concat([
    message("T", column),
    message("D", Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 4]), Buffer.from("4711")])),
    message("C", Buffer.from("SELECT 1\0")),
    ready,
  ]);
  const refused = message("E", Buffer.from(`SFATAL\0C08P01\0M${refusal}\0\0`));
  const server = createServer((socket) => {
    let started = false;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      if (started && bytes[0] === "Q".charCodeAt(0)) socket.write(answer);
      if (!started && refusal !== undefined) socket.end(refused);
      if (!started && refusal === undefined)
        socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready]));
      started = true;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://u:secret@127.0.0.1:${port}/db?sslmode=disable`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

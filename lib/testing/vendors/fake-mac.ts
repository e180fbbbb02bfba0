import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";
import { MacConnection } from "@/lib/testing/vendors/fake-mac-connection";
import type { RowFields } from "@/lib/testing/vendors/fake-mac-payloads";
import { type ChatOf, createMacStore, type MacKnobs } from "@/lib/testing/vendors/fake-mac-store";

/**
 * A Mac whose imsg takes and emits what the sources of imsg 0.15.10 say, with the people it writes to: the rules name
 * their source in fake-mac-methods.ts, fake-mac-payloads.ts, fake-mac-store.ts and fake-mac-connection.ts. `command` is
 * the program for IMSG_COMMAND. Its process ends and starts again without the Mac losing anything.
 */
export async function startFakeMac() {
  const connections = new Set<MacConnection>();
  const knobs: MacKnobs = {
    bridge: true,
    database: true,
    cutLines: false,
    down: false,
    macOs: 26,
    failing: null,
    answering: Promise.resolve(),
  };
  const { behaviors, calls, rows, sent, handle, add, replace } = createMacStore(knobs, (row) => {
    for (const connection of connections) connection.message(row);
  });
  let processes = 0;

  const server = createServer((socket) => {
    if (knobs.down) {
      socket.destroy();
      return;
    }
    processes++;
    const onClose = (connection: MacConnection) => void connections.delete(connection);
    connections.add(new MacConnection(socket, { knobs, rows, handle, onClose }));
  });

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const directory = mkdtempSync(path.join(tmpdir(), "fake-mac-"));
  const command = path.join(directory, "imsg");
  const script = fileURLToPath(new URL("./fake-imsg.mjs", import.meta.url));
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${script}" ${port} "$@"\n`);
  chmodSync(command, 0o755);
  return {
    command,
    directory,
    knobs,
    sent,
    calls,
    get processes() {
      return processes;
    },
    behave: (handle: string, behavior: PeerBehavior) => void behaviors.set(handle, behavior),
    /** A person writes to the Mac. Returns the GUID. */
    write(from: string, value: string, fields: RowFields = {}, chat: ChatOf = {}): string {
      return add(from, value, chat, fields).guid;
    },
    /** Reports a row live once more. */
    repeat(guid: string) {
      const row = rows.find((each) => each.guid === guid);
      for (const connection of connections) if (row !== undefined) connection.message(row);
    },
    /** The options of a poll that the Mac sent or got. */
    optionsOf(guid: string): string[] {
      return rows.find((row) => row.guid === guid)?.poll?.options?.map(({ id }) => id) ?? [];
    },
    /** Messages joins a row to its chat. */
    join(guid: string, from: string) {
      const row = rows.find((each) => each.guid === guid);
      const other = add(from, "", {}, { is_from_me: true });
      if (row !== undefined) row.chat = other.chat;
    },
    readAll(handle: string) {
      for (const row of rows) if (row.chat?.identifier === handle && row.is_from_me) row.isRead = true;
    },
    fail(handle: string) {
      for (const row of rows) if (row.chat?.identifier === handle && row.is_from_me) row.state = "failed";
    },
    typing(chatGuid: string, event: string) {
      for (const connection of connections) connection.typing(chatGuid, event);
    },
    overflow(resumeAfter = rows.at(-1)?.id ?? 0) {
      for (const connection of connections) connection.overflow(resumeAfter);
    },
    breakWatch() {
      for (const connection of connections) connection.breakWatch();
    },
    breakEvents(how: "overflow" | "error") {
      for (const connection of connections) connection.breakEvents(how);
    },
    replaceDatabase: replace,
    /** Ends the processes of imsg. */
    crash() {
      for (const connection of connections) connection.destroy();
    },
    /** Ends the Mac and deletes its program. */
    close() {
      for (const connection of connections) connection.destroy();
      rmSync(directory, { recursive: true, force: true });
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

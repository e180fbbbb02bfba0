import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { PeerBehavior } from "@/lib/adapters/transports/conformance";
import { MacConnection } from "@/lib/testing/fake-mac-connection";
import { createMacStore } from "@/lib/testing/fake-mac-store";

/**
 * A Mac whose imsg is as strict as the real one, with the people it writes to. `command` is the program for
 * IMSG_COMMAND. Its process ends and starts again without the Mac losing anything.
 */
export async function startFakeMac() {
  const calls: { method: string; params: Record<string, unknown> }[] = [];
  const connections = new Set<MacConnection>();
  const knobs = { bridge: true, database: true, cutLines: false, down: false, answering: Promise.resolve() };
  const { behaviors, rows, sent, handle, add } = createMacStore(knobs, (row) => {
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
    connections.add(new MacConnection(socket, { knobs, calls, handle, onClose }));
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
    write(from: string, value: string, more: Record<string, unknown> = {}): string {
      return add({
        guid: randomUUID(),
        to: from,
        text: value,
        isFromMe: false,
        more: { sender: from, ...more },
      }).guid;
    },
    /** Reports a row live once more. */
    repeat(guid: string) {
      const row = rows.find((each) => each.guid === guid);
      for (const connection of connections) if (row !== undefined) connection.message(row);
    },
    readAll(handle: string) {
      for (const row of rows) if (row.to === handle && row.isFromMe) row.isRead = true;
    },
    fail(handle: string) {
      for (const row of rows) if (row.to === handle && row.isFromMe) row.state = "failed";
    },
    typing(chatGuid: string, event: string) {
      for (const connection of connections) connection.typing(chatGuid, event);
    },
    overflow() {
      for (const connection of connections) connection.overflow();
    },
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

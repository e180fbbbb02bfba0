import "@/lib/testing/use-test-database";

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { objectStore } from "@/lib/adapters/storage/registry";
import { insertAttachments } from "@/lib/attachments/insert-attachments";
import { sweepOrphans } from "@/lib/attachments/retention/sweep-orphans";
import { prisma, transaction } from "@/lib/platform/database/db";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { createTestAccount } from "@/lib/testing/create-test-account";

const never = new AbortController().signal;

async function store(key: string): Promise<void> {
  const limits = { contentType: "text/plain", leastBytes: 2, mostBytes: 2 };
  await objectStore().put(key, bytes(), limits);
}

async function* bytes() {
  yield Buffer.from("hi");
}

function age(hours: number): void {
  execFileSync("find", [
    env().DATA_DIR,
    "-type",
    "f",
    "-exec",
    "touch",
    "-d",
    `${hours} hours ago`,
    "{}",
    "+",
  ]);
}

test("bytes without an attachment go after a day; an attachment's, young ones and foreign ones stay", async () => {
  const { ref } = await createTestAccount({ type: "sandbox" });
  const { id: lineId } = await prisma().line.findFirstOrThrow({ where: { accountId: ref.id } });
  const id = newId(Date.now());
  const file = { id, filename: "hi.txt", contentType: "text/plain", sizeBytes: 2 };
  const rows = {
    accountId: ref.id,
    lineId,
    source: "received",
    status: "complete",
    at: now(),
    files: [file],
  } as const;
  await transaction((tx) => insertAttachments(tx, rows));
  const [orphan, young] = [newId(Date.now()), newId(Date.now())];
  const kept = [`${ref.id}/${id}`, `${ref.id}/${id}-converted`, `${ref.id}/${id}-preview`, "another/key"];
  const gone = ["", "-converted", "-preview"].map((end) => `${ref.id}/${orphan}${end}`);
  for (const key of [...kept, ...gone]) await store(key);
  age(25);
  await store(`${ref.id}/${young}`);

  expect(await sweepOrphans(never)).toBe(3);

  for (const key of [...kept, `${ref.id}/${young}`]) expect(await objectStore().head(key)).not.toBeNull();
  for (const key of gone) expect(await objectStore().head(key)).toBeNull();
  expect(await sweepOrphans(never)).toBe(0);
});

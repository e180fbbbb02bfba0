"use client";

import { ImportList } from "@/components/imports/import-list";
import type { ImportTarget } from "@/components/imports/import-target";
import { apiFetch } from "@/lib/client/api-fetch";

const TARGET: ImportTarget = {
  title: "Import blocked numbers",
  description:
    "Every handle in the file is blocked: its messages are dropped, and sends to it fail with error 2026.",
  one: "handle",
  many: "handles",
  note: "reason",
  preview: (csv) => apiFetch("/api/blocked-handles/import/preview", { method: "POST", body: { csv } }),
  store: (batch) => apiFetch("/api/blocked-handles/import", { method: "POST", body: batch }),
};

/** Imports blocked handles from a CSV file. */
export function ImportBlocks() {
  return <ImportList target={TARGET} />;
}

"use client";

import { ImportList } from "@/components/imports/import-list";
import type { ImportTarget } from "@/components/imports/import-target";
import { apiFetch } from "@/lib/client/api-fetch";

const TARGET: ImportTarget = {
  title: "Import opt-outs",
  description: "Every handle in the file is opted out: sends to it fail with error 2024.",
  one: "opt-out",
  many: "opt-outs",
  note: "note",
  preview: (csv) => apiFetch("/api/opt-outs/import/preview", { method: "POST", body: { csv } }),
  store: (batch) => apiFetch("/api/opt-outs/import", { method: "POST", body: batch }),
};

/** Imports opt-outs from a CSV file. */
export function ImportOptOuts() {
  return <ImportList target={TARGET} />;
}

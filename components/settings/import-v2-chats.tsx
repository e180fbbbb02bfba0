"use client";

import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import type { z } from "zod";
import { type DataColumn, DataTable } from "@/components/data/data-table";
import { FailureNote } from "@/components/data/failure-note";
import { readTextFile } from "@/components/imports/read-text-file";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Spinner } from "@/components/ui/spinner";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";
import type { ImportV2Chats } from "@/lib/runtime/v2/import-v2-chats";

type Imported = z.infer<(typeof ImportV2Chats)["returns"]>;

const columns: DataColumn<Imported["errors"][number]>[] = [
  { key: "line", header: "Line", align: "number", className: "w-20", cell: ({ line }) => line },
  { key: "message", header: "Error", cell: ({ message }) => message },
];

/** Imports V2 chat ids from a CSV file and lists the rejected rows with the reason. */
export function ImportV2ChatIds({ mayManage }: { mayManage: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation<Imported, ApiFailure, File>({
    mutationFn: async (file) =>
      apiFetch("/api/v2-chats/import", { method: "POST", body: { csv: await readTextFile(file) } }),
  });

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const file = target.files?.[0];
    target.value = "";
    if (file !== undefined) upload.mutate(file);
  }

  return (
    <Card>
      <CardHeader>
        <CardTitle>Import V2 chat IDs</CardTitle>
        <CardDescription>
          A CSV file with the header <code className="text-xs">v2_chat_id,v3_chat_id,line,handles</code>. Each
          row needs the V3 id, or the line and the handles. Importing the same file again changes nothing.
        </CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-4">
        {mayManage ? (
          <>
            <input
              ref={input}
              type="file"
              accept=".csv,text/csv"
              aria-label="CSV file"
              className="sr-only"
              tabIndex={-1}
              onChange={choose}
            />
            <Button disabled={upload.isPending} onClick={() => input.current?.click()}>
              {upload.isPending ? <Spinner /> : <FileUp aria-hidden="true" />}
              Choose file
            </Button>
          </>
        ) : (
          <p className="text-muted-foreground">Only admins of the partner can import V2 chat ids.</p>
        )}
        <FailureNote title="The import failed" failure={upload.error} />
        {upload.data && <Outcome result={upload.data} />}
      </CardContent>
    </Card>
  );
}

function Outcome({ result }: { result: Imported }) {
  const { imported, failed, errors } = result;
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      <p role="status" className="tabular-nums">
        {imported.toLocaleString("en")} imported, {failed.toLocaleString("en")} rejected
        {failed > errors.length && `. The first ${errors.length} rejected rows:`}
      </p>
      {errors.length > 0 && (
        <DataTable
          label="Rejected rows"
          columns={columns}
          rows={errors}
          rowKey={({ line }) => String(line)}
        />
      )}
    </div>
  );
}

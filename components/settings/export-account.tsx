"use client";

import { ExportButton } from "@/components/data/export-button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { apiFetch } from "@/lib/client/api-fetch";

/** Downloads everything that the account stores. */
export function ExportAccount() {
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          <h2>Export account</h2>
        </CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-3 text-sm">
        <p className="text-muted-foreground">
          A ZIP file with the rows of every table as JSON lines and all files. Secrets are not included. The
          export is recorded in the audit log.
        </p>
        <ExportButton
          label="Export account"
          path="/api/account/export"
          start={() => apiFetch("/api/account/export", { method: "POST" })}
        />
      </CardContent>
    </Card>
  );
}

"use client";

import "./globals.css";
import { FailedPage, type FailedPageProps } from "@/components/shell/failed-page";

export default function GlobalError(props: FailedPageProps) {
  return (
    <html lang="en">
      <body className="min-h-dvh text-sm">
        <title>Error · Trunkline</title>
        <FailedPage {...props} />
      </body>
    </html>
  );
}

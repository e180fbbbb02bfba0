"use client";

import { useTheme } from "next-themes";
import { useEffect, useRef, useState } from "react";
import { CallTrace } from "@/components/docs/explorer/call-trace";
import { type ExplorerCall, sendCall } from "@/components/docs/explorer/explorer-call";
import { type ExplorerDocument, fillDocument } from "@/components/docs/explorer/fill-document";
import { loadScalar, type MountedReference } from "@/components/docs/explorer/load-scalar";
import { SCALAR_STYLES } from "@/components/docs/explorer/scalar-styles";
import { discardToken, sessionToken } from "@/components/docs/explorer/session-token";
import { guideLink } from "@/components/docs/guide-parts";
import { Spinner } from "@/components/ui/spinner";
import { fetchSignedIn } from "@/lib/client/fetch-signed-in";
import type { ExplorerValues } from "@/lib/docs/reference/get-explorer-values";

type State = { status: "loading" | "ready" | "failed"; values: ExplorerValues | null };

/** The API explorer: the reference with a client that sends requests as the signed-in user. */
export function Explorer({ scalarUrl }: { scalarUrl: string }) {
  const container = useRef<HTMLDivElement>(null);
  const { resolvedTheme } = useTheme();
  const [{ status, values }, setState] = useState<State>({ status: "loading", values: null });
  const [call, setCall] = useState<ExplorerCall | null>(null);

  useEffect(() => {
    const element = container.current;
    if (element === null || resolvedTheme === undefined) return;
    let mounted: MountedReference | undefined;
    let isCurrent = true;
    mountReference(element, { scalarUrl, theme: resolvedTheme, onCall: setCall }).then(
      ({ reference, values }) => {
        mounted = reference;
        if (isCurrent) setState({ status: "ready", values });
        else reference.destroy();
      },
      () => isCurrent && setState({ status: "failed", values: null }),
    );
    return () => {
      isCurrent = false;
      mounted?.destroy();
    };
  }, [scalarUrl, resolvedTheme]);

  return (
    <>
      {/* The reference brings its own main landmark. */}
      <section aria-label="API explorer">
        <h1 className="sr-only">API explorer</h1>
        <ExplorerNotice status={status} values={values} />
      </section>
      <div ref={container} className="min-h-dvh" />
      {call !== null && <CallTrace key={call.id} call={call} onClose={() => setCall(null)} />}
    </>
  );
}

function ExplorerNotice({ status, values }: State) {
  if (status === "loading") {
    return (
      <p role="status" className="flex items-center gap-2 border-b px-4 py-2 text-muted-foreground sm:px-6">
        <Spinner /> Loading the API explorer…
      </p>
    );
  }
  if (status === "failed") {
    return (
      <p role="alert" className="border-b px-4 py-2 sm:px-6">
        The API explorer could not be loaded. Check your connection and reload the page. The{" "}
        <a href="/docs/reference" className={guideLink}>
          API reference
        </a>{" "}
        shows the same operations.
      </p>
    );
  }
  if (values === null) {
    return (
      <p className="border-b px-4 py-2 sm:px-6">
        <a href="/sign-in?to=/docs/explorer" className={guideLink}>
          Sign in
        </a>{" "}
        to send requests with your account&apos;s line, phone and chat.
      </p>
    );
  }
  return (
    <p className="border-b px-4 py-2 text-muted-foreground sm:px-6">
      {values.environment === "production" && (
        <strong className="font-medium text-warning">
          This is a production account: requests are real.{" "}
        </strong>
      )}
      Requests use a token of your own that works for 15 minutes and can do what your role can do.
    </p>
  );
}

type Mount = { scalarUrl: string; theme: string; onCall: (call: ExplorerCall) => void };

async function mountReference(element: Element, { scalarUrl, theme, onCall }: Mount) {
  const [scalar, values, ...documents] = await Promise.all([
    loadScalar(scalarUrl),
    fetchSignedIn<ExplorerValues>("/api/explorer/values"),
    readDocument("/docs/openapi.json"),
    readDocument("/docs/openapi-simulator.json"),
  ]);
  const isProduction = values?.environment === "production";
  const reference = scalar.createApiReference(element, {
    content: fillDocument(isProduction ? documents.slice(0, 1) : documents, values),
    servers: [{ url: location.origin }],
    // The reference links to operations by their IDs.
    generateOperationSlug: (operation) => operation.operationId ?? `${operation.method}${operation.path}`,
    customFetch: (input, init) => send(new Request(input, init), onCall),
    forceDarkModeState: theme === "dark" ? "dark" : "light",
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    documentDownloadType: "none",
    agent: { disabled: true },
    mcp: { disabled: true },
    persistAuth: false,
    customCss: SCALAR_STYLES,
  });
  return { reference, values };
}

async function readDocument(url: string): Promise<ExplorerDocument> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} could not be loaded: HTTP ${response.status}`);
  return response.json();
}

/** Sends a request of the reference's client with the token of the signed-in user. */
async function send(request: Request, onCall: (call: ExplorerCall) => void): Promise<Response> {
  const { response, call } = await sendCall(request, await sessionToken());
  // The session may have ended in another tab: the next request asks for another token.
  if (response.status === 401) discardToken();
  onCall(call);
  return response;
}

/** A mounted API reference. */
export interface MountedReference {
  destroy(): void;
}

interface ScalarGlobal {
  createApiReference(element: Element, options: ScalarOptions): MountedReference;
}

/** The options that the explorer sets, with the types of the script's own functions. */
interface ScalarOptions {
  content: unknown;
  servers: { url: string }[];
  generateOperationSlug(operation: { operationId?: string; method: string; path: string }): string;
  customFetch: typeof fetch;
  forceDarkModeState: "dark" | "light";
  hideDarkModeToggle: boolean;
  withDefaultFonts: boolean;
  telemetry: boolean;
  hideClientButton: boolean;
  showDeveloperTools: "never";
  documentDownloadType: "none";
  agent: { disabled: boolean };
  mcp: { disabled: boolean };
  persistAuth: boolean;
  customCss: string;
}

declare global {
  interface Window {
    Scalar?: ScalarGlobal;
  }
}

let loading: Promise<ScalarGlobal> | undefined;

/** Loads the script of the API reference from this instance, once. Throws when it cannot be loaded. */
export function loadScalar(source: string): Promise<ScalarGlobal> {
  loading ??= new Promise<ScalarGlobal>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = () =>
      window.Scalar === undefined ? reject(new Error("the script defines nothing")) : resolve(window.Scalar);
    script.onerror = () => reject(new Error("the script could not be loaded"));
    document.head.append(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

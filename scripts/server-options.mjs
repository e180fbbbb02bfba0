import { fileURLToPath } from "node:url";

/**
 * Node's options for the server. V8's space for new objects would grow to 128 MB during the start, and would rarely be
 * used again.
 */
export const SERVER_OPTIONS = ["--enable-source-maps", "--max-semi-space-size=32"];

/** Where Node keeps the compiled code of the server between starts. Without the right to write there, it keeps none. */
export const COMPILE_CACHE = fileURLToPath(new URL("../dist/compile-cache", import.meta.url));

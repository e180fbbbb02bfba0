import { loadBundle } from "./load-bundle.mjs";

/** Returns the text of the statement that accepts one send, from the server's source. */
export async function loadAcceptStatement() {
  const { ACCEPT_ONE } = await loadBundle(new URL("accept-statement.ts", import.meta.url));
  return ACCEPT_ONE.text;
}

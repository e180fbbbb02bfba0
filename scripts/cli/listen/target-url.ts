import { InvalidArgumentError } from "commander";

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/**
 * The URL of the server that `listen` posts to. Completes what developers leave out: `4000`, `:4000/hook` and `/hook`
 * are on localhost, and an address without a scheme is http. Throws InvalidArgumentError for other schemes and for
 * text that is no URL.
 */
export function toTargetUrl(text: string): string {
  const completed = complete(text.trim());
  const url = URL.canParse(completed) ? new URL(completed) : null;
  if (url === null || url.hostname === "") {
    throw new InvalidArgumentError("Use the URL of your server, for example http://localhost:4000/webhooks.");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new InvalidArgumentError(`Use an http:// or https:// URL, not ${url.protocol}//.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidArgumentError("Use a URL without a user name and password.");
  }
  return url.href;
}

function complete(text: string): string {
  if (SCHEME.test(text)) return text;
  if (/^\d+($|\/)/.test(text)) return `http://localhost:${text}`;
  if (/^[:/]/.test(text)) return `http://localhost${text}`;
  return `http://${text}`;
}

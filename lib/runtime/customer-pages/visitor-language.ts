import "server-only";
import { chooseLanguage, type Language, supportedLanguage } from "@/lib/payments/checkout/translations";
import { parseCookies } from "@/lib/runtime/http/parse-cookies";

const COOKIE = "trunkline_language";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The language of a payment page: the one that the visitor chose on this page or an earlier one (`?lang=`), else
 * `preferred`, else the browser's.
 */
export function visitorLanguage(request: Request, preferred: string | null = null): Language {
  const kept = parseCookies(request.headers.get("cookie")).get(COOKIE);
  const chosen = chosenLanguage(request) ?? supportedLanguage(kept ?? "");
  return chooseLanguage(request.headers.get("accept-language"), chosen ?? preferred);
}

/** Keeps a language that the visitor chose on this page for the following pages, in a cookie without other content. */
export function keepLanguage(request: Request, response: Response): Response {
  const chosen = chosenLanguage(request);
  if (chosen !== null) {
    const cookie = `${COOKIE}=${chosen}; Path=/; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax`;
    response.headers.append("set-cookie", cookie);
  }
  return response;
}

function chosenLanguage(request: Request): Language | null {
  return supportedLanguage(new URL(request.url).searchParams.get("lang") ?? "");
}

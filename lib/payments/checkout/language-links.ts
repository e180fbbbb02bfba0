import "server-only";
import { type Html, html } from "@/lib/payments/checkout/html";
import { type Language, translationsFor } from "@/lib/payments/checkout/translations";

const NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  es: "Español",
  fr: "Français",
  de: "Deutsch",
};

/** Renders links to the same page in the other languages. `path` is its path, with its query. */
export function languageLinks(language: Language, path: string): Html {
  const links = Object.entries(NAMES).map(([code, name]) =>
    code === language
      ? html`<li><span aria-current="true">${name}</span></li>`
      : html`<li><a href="${withLanguage(path, code)}" lang="${code}" hreflang="${code}" rel="nofollow">${name}</a></li>`,
  );
  return html`<nav class="languages" aria-label="${translationsFor(language).language}"><ul>${links}</ul></nav>`;
}

function withLanguage(path: string, code: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}lang=${code}`;
}

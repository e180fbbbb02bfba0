import { Ban, ShieldBan, User } from "lucide-react";
import { customerHref } from "@/components/customers/customer-href";
import type { PaletteCommand } from "@/components/shell/palette/palette-command";
import { queryString } from "@/lib/client/query-string";
import type { Right } from "@/lib/platform/rights/right";

const ACTIONS = [
  { verb: "Block", href: "/blocked-handles", dialog: "block", icon: ShieldBan, right: "manage_blocks" },
  { verb: "Opt out", href: "/opt-outs", dialog: "opt-out", icon: Ban, right: "decide_opt_outs" },
] as const satisfies {
  verb: string;
  href: string;
  dialog: string;
  icon: PaletteCommand["icon"];
  right: Right;
}[];

/** "block +1 555 010 0101": an optional verb, then a complete phone number or email address. */
const WRITTEN = /^(?:(?<verb>block|opt[ -]?out)\s+)?(?<handle>\+[\d\s().-]{7,20}|[^\s@]+@[^\s@]+\.[^\s@]+)$/i;

/** The command that opens the customer of a handle that the user typed without a verb. It needs no search. */
export function customerCommands(
  text: string,
  may: (right: Right) => boolean,
  open: (href: string) => void,
): PaletteCommand[] {
  const { verb, handle: typed } = WRITTEN.exec(text)?.groups ?? {};
  if (typed === undefined || verb !== undefined || !may("view_chats")) return [];
  const handle = typed.startsWith("+") ? typed.replaceAll(/[^+\d]/g, "") : typed.toLowerCase();
  const href = customerHref(handle);
  return [{ id: href, label: handle, icon: User, hint: "Customer", href, run: () => open(href) }];
}

/** The commands about a handle that the user typed, with or without the verb, that the user has the right to run. */
export function handleCommands(
  text: string,
  may: (right: Right) => boolean,
  open: (href: string) => void,
): PaletteCommand[] {
  const { verb = "", handle } = WRITTEN.exec(text)?.groups ?? {};
  if (handle === undefined) return [];
  const asked = verb.replace(/[ -]/g, "").toLowerCase();
  return ACTIONS.filter(
    ({ right, verb: name }) => may(right) && (asked === "" || name.replace(" ", "").toLowerCase() === asked),
  ).map(({ verb: name, href, dialog, icon }) => ({
    id: `${dialog} ${handle}`,
    label: `${name} ${handle}…`,
    icon,
    run: () => open(`${href}${queryString({ dialog, about: handle })}`),
  }));
}

import type { ReactNode } from "react";
import { TrunkLines } from "@/components/auth/trunk-lines";
import { TrunklineMark } from "@/components/shell/trunkline-mark";

type AuthPageProps = { title: string; description?: ReactNode; children: ReactNode; footer?: ReactNode };

/** The frame of pages for users who are not signed in: sign-in and first password. */
export function AuthPage({ title, description, children, footer }: AuthPageProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(28rem,5fr)_7fr]">
      <main className="flex flex-col justify-center gap-7 px-6 py-12 sm:px-12">
        <div className="mx-auto flex w-full max-w-sm flex-col gap-7">
          <p className="flex items-center gap-2 font-semibold tracking-tight">
            <TrunklineMark />
            Trunkline
          </p>
          <div className="flex flex-col gap-1.5">
            <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
            {description && <div className="text-muted-foreground leading-relaxed">{description}</div>}
          </div>
          <noscript>
            <p className="rounded-md border px-3 py-2 text-sm">
              Trunkline needs JavaScript. Turn it on for this page, then load the page again.
            </p>
          </noscript>
          {children}
          {footer && <div className="text-muted-foreground text-xs leading-relaxed">{footer}</div>}
        </div>
      </main>
      <div className="hidden overflow-hidden border-l bg-sidebar lg:block">
        <TrunkLines />
      </div>
    </div>
  );
}

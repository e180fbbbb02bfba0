import "server-only";
import type { Context } from "@/lib/platform/context";

/** Prepares recipients that exist without having been created, such as the simulator's magic handles. */
type IntroduceRecipients = (ctx: Context, handles: readonly string[]) => Promise<void>;

const shared = globalThis as typeof globalThis & { trunklineIntroduce?: IntroduceRecipients };

/** Connects the room that knows such recipients. Every process calls it at its start (lib/runtime/wiring). */
export function provideRecipients(introduce: IntroduceRecipients): void {
  shared.trunklineIntroduce = introduce;
}

/** Prepares the recipients of a sandbox account before a first message or a check. Throws when no room is connected. */
export async function introduceRecipients(ctx: Context, handles: readonly string[]): Promise<void> {
  if (ctx.account.type !== "sandbox") return;
  if (shared.trunklineIntroduce === undefined) {
    throw new Error(
      "no recipients are provided: call registerDependencies() of lib/runtime/wiring at the start",
    );
  }
  await shared.trunklineIntroduce(ctx, handles);
}

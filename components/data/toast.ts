import { createElement } from "react";
import type { ExternalToast } from "sonner";
import { Grouped } from "@/components/data/grouped";

type ToastOptions = Pick<ExternalToast, "id" | "description" | "action" | "duration" | "closeButton">;

/** The toasts and their library, which the dashboard loads when the browser is idle. */
export function loadToasts() {
  return import("@/components/ui/sonner");
}

let mountToaster: (() => void) | null = null;

/** Registers the function that shows the region of the toasts. A toast that comes earlier calls it. */
export function onFirstToast(mount: (() => void) | null): void {
  mountToaster = mount;
}

/** A toast that offers an action stays longer than sonner's four seconds: it has to be read, decided and reached. */
const ACTION_MS = 10_000;

function show(type: "success" | "error", message: string, options?: ToastOptions): void {
  mountToaster?.();
  void loadToasts().then(
    ({ toast: shown }) =>
      shown[type](createElement(Grouped, null, message), {
        ...(options?.action && { duration: ACTION_MS }),
        ...options,
      }),
    () => undefined,
  );
}

/** Short messages at the edge of the window, announced to screen readers. */
export const toast = {
  success: (message: string, options?: ToastOptions) => show("success", message, options),
  error: (message: string, options?: ToastOptions) => show("error", message, options),
  dismiss: (id: string) =>
    void loadToasts().then(
      ({ toast: shown }) => shown.dismiss(id),
      () => undefined,
    ),
};

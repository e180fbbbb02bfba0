"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useFreshDialog } from "@/components/data/dialogs/use-fresh-dialog";
import type { LoadedPopup } from "@/components/data/lazy-open";
import { toast } from "@/components/data/toast";
import { useAttemptKey } from "@/components/data/use-attempt-key";
import { PaymentForm } from "@/components/payments/payment-form";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

type CreatePaymentDialogProps = LoadedPopup & { currencies: readonly string[] };

/** The dialog of `CreatePayment`. */
export function CreatePaymentDialog({ currencies, trigger }: CreatePaymentDialogProps) {
  const router = useRouter();
  const { keyOf, endAttempt } = useAttemptKey();
  const create = useMutation<{ id: string }, ApiFailure, Record<string, unknown>>({
    mutationFn: (body) => {
      // The expiry is counted from each attempt.
      const headers = { "idempotency-key": keyOf({ ...body, expires_at: undefined }) };
      return apiFetch("/api/payment-requests", { method: "POST", body, headers });
    },
    onSuccess: ({ id }) => {
      endAttempt();
      toast.success("Payment request created");
      router.push(`/payments/${id}`);
    },
  });
  const [open, onOpenChange] = useFreshDialog(create.reset, true);

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="max-h-[calc(100dvh-2rem)] overflow-y-auto sm:max-w-lg">
        <PaymentForm
          currencies={currencies}
          pending={create.isPending || create.isSuccess}
          failure={create.error}
          onCreate={(body) => create.mutate(body)}
        />
      </DialogContent>
    </Dialog>
  );
}

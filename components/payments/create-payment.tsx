"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { toast } from "sonner";
import { useFreshDialog } from "@/components/data/use-fresh-dialog";
import { PaymentForm } from "@/components/payments/payment-form";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { type ApiFailure, apiFetch } from "@/lib/client/api-fetch";

/** Creates a payment request and opens its page. */
export function CreatePayment({ currencies }: { currencies: readonly string[] }) {
  const router = useRouter();
  const create = useMutation<{ id: string }, ApiFailure, Record<string, unknown>>({
    mutationFn: (body) => apiFetch("/api/payment-requests", { method: "POST", body }),
    onSuccess: ({ id }) => {
      toast.success("Payment request created");
      router.push(`/payments/${id}`);
    },
  });
  const [open, onOpenChange] = useFreshDialog(create.reset);

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogTrigger asChild>
        <Button>
          <Plus aria-hidden="true" />
          New payment request
        </Button>
      </DialogTrigger>
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

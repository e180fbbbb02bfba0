import { notFound } from "next/navigation";
import { CustomerView } from "@/components/customers/customer-view";
import { listLines } from "@/lib/lines/lines/list-lines";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";
import { GetCustomer, getCustomer } from "@/lib/runtime/dashboard/get-customer";

export const metadata = { title: "Customer" };

type CustomerPageProps = { params: Promise<{ handle: string }> };

export default async function CustomerPage({ params }: CustomerPageProps) {
  const { account, ctx, may } = await requireAccount("view_chats");
  const asked = GetCustomer.params.safeParse({ handle: decodeURIComponent((await params).handle) });
  if (!asked.success) notFound();
  const [customer, { phone_numbers }] = await Promise.all([
    getCustomer(ctx, { params: asked.data }),
    listLines(ctx),
  ]);
  return (
    <CustomerView
      key={`${account.id} ${customer.handle}`}
      initial={customer}
      lines={phone_numbers}
      rights={{
        decideOptOuts: may("decide_opt_outs"),
        manageBlocks: may("manage_blocks"),
        managePersonalData: may("manage_personal_data"),
        send: may("send_messages"),
      }}
    />
  );
}

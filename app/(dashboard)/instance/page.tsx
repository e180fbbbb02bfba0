import { InstanceScreen } from "@/components/instance/instance-screen";
import { getInstance } from "@/lib/operations/instance/get-instance";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Instance" };

export default async function InstancePage() {
  const { ctx, may } = await requireAccount("view_instance");
  return <InstanceScreen initial={await getInstance(ctx)} mayOperate={may("operate_instance")} />;
}

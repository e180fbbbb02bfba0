import Link from "next/link";
import { MessagePage } from "@/components/shell/message-page";
import { Button } from "@/components/ui/button";

export default function NotFound() {
  return (
    <MessagePage
      isInShell
      code="404"
      title="Page not found"
      description="This page may have been deleted, may belong to another account, or your role may not include the page. Switch accounts above, or search with Ctrl K."
      actions={
        <Button asChild>
          <Link href="/">Go to Home</Link>
        </Button>
      }
    />
  );
}

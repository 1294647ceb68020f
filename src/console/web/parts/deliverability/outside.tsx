/** A page of somebody else's, which learns nothing of where the reader came from. */
export function Outside({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <a class="button small" href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

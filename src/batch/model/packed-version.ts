/** The version of the packed results in `batch_results`. Raise it whenever their form or the meaning of a member changes. */
export const PACKED_VERSION = 2;

/** @throws Error when another release of the service packed the results */
export function checkPackedVersion(packed: { readonly v?: unknown }): void {
  if (packed.v !== PACKED_VERSION)
    throw new Error(`stored results have version ${String(packed.v)}, this release reads version ${PACKED_VERSION}`);
}

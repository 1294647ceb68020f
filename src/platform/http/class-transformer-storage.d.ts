/** What class-transformer 0.5 knows of classes; the package has the file and no types beside it. */
declare module 'class-transformer/cjs/storage.js' {
  type Known = ReadonlyMap<unknown, unknown>;
  export const defaultMetadataStorage: {
    readonly _typeMetadatas: Known;
    readonly _transformMetadatas: Known;
    readonly _exposeMetadatas: Known;
    readonly _excludeMetadatas: Known;
    /** Of the class or one that it extends. */
    findTypeMetadata(
      target: unknown,
      propertyName: string,
    ): { readonly typeFunction: () => new () => object } | undefined;
  };
}

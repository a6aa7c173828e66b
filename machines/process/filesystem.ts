/** The bytes of a volume or an image layer. */
export interface FileTree {
  readonly files: Map<string, string>;
}

export function createTree(): FileTree {
  return { files: new Map() };
}

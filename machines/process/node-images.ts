/** Which images the nodes hold: busybox, which `process` simulates, under whatever registry and tag a manifest names it. */

/** Whether a node has the image, so that a container of it can be made without a pull. */
export function isOnNodes(image: string): boolean {
  return repositoryOf(image).split('/').at(-1) === 'busybox';
}

/** The reference in full, as the runtime resolves it: registry, path, tag (github.com/distribution/reference ParseDockerRef). */
export function fullReference(image: string): string {
  const repository = repositoryOf(image);
  const rest = image.slice(repository.length);
  const [first = ''] = repository.split('/');
  const hasRegistry = repository.includes('/') && (/[.:]/.test(first) || first === 'localhost');
  const named = hasRegistry ? repository : `docker.io/${repository.includes('/') ? '' : 'library/'}${repository}`;
  return `${named}${rest === '' ? ':latest' : rest}`;
}

/** Without tag and digest. */
function repositoryOf(image: string): string {
  return image.split('@')[0]?.replace(/:[^/:]*$/, '') ?? '';
}

/** Does the page answer yet? What it shows stands there before its script does: until then nothing on it can be pressed or filled in. */
import { useEffect, useState } from 'react';

export function useAlive(): boolean {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return alive;
}

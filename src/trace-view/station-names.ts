/** The nine stations of the line, in their order. The words shown for them are in `src/i18n/`. */
export const STATIONS = ['claim', 'volume', 'node', 'attached', 'staged', 'published', 'process', 'bytes', 'again'] as const;
export type StationName = (typeof STATIONS)[number];

/** The lab with its English words: a page loads only its own language. */
import type { ReactNode } from 'react';
import { en } from '../i18n/en.ts';
import { Lab, type LabProps } from './Lab.tsx';

export default function LabEn(props: Omit<LabProps, 'lang' | 'messages'>): ReactNode {
  return <Lab lang="en" messages={en} {...props} />;
}

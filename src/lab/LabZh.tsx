/** The lab with its Chinese words: a page loads only its own language. */
import type { ReactNode } from 'react';
import { zh } from '../i18n/zh.ts';
import { Lab, type LabProps } from './Lab.tsx';

export default function LabZh(props: Omit<LabProps, 'lang' | 'messages'>): ReactNode {
  return <Lab lang="zh" messages={zh} {...props} />;
}

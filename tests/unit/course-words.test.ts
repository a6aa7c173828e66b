/** Every word of the glossary is linked to its entry, with its API field, where a lesson first uses it before or as it is brought in. */
import { describe, expect, it } from 'vitest';
import { readGlossary, readPairs } from '../../src/course/files.ts';
import { readTerms } from '../../src/course/glossary.ts';
import { readPage } from '../../src/course/page.ts';

/** How a word of the glossary looks in running text, in English and in Chinese. */
const LOOKS: Readonly<Record<string, readonly [en: RegExp, zh: RegExp]>> = {
  'claim': [/\bclaims?\b/, /PVC/],
  'bound': [/\bBound\b/, /\bBound\b/],
  'class': [/\bclass\b/, /StorageClass/],
  'pv': [/\bvolume\b/, /(?<![A-Za-z.])PV(?![A-Za-z])/],
  'external-provisioner': [/external-provisioner/, /external-provisioner/],
  'csi': [/\bCSI\b/, /\bCSI\b/],
  'container-creating': [/ContainerCreating/, /ContainerCreating/],
  'secret-volume': [/\bSecret\b/, /\bSecret\b/],
  'failed-mount': [/FailedMount/, /FailedMount/],
  'access-mode': [/access modes?/, /访问模式/],
  'rwop': [/ReadWriteOncePod|RWOP/, /ReadWriteOncePod|RWOP/],
  'wffc': [/WaitForFirstConsumer/, /WaitForFirstConsumer/],
  'selected-node': [/selected-node/, /selected-node/],
  'node-affinity': [/nodeAffinity|node affinity/, /nodeAffinity|亲和/],
  'allowed-topologies': [/allowedTopologies/, /allowedTopologies/],
  'volumebinding': [/VolumeBinding/, /VolumeBinding/],
  'assume': [/\bassum/, /暂定/],
  'sidecar': [/sidecar/, /sidecar/],
  'volume-attachment': [/VolumeAttachment/, /VolumeAttachment/],
  'multi-attach': [/Multi-Attach/, /Multi-Attach/],
  'volumes-in-use': [/volumesInUse|volumesAttached/, /volumesInUse|volumesAttached/],
  'out-of-service': [/out-of-service/, /out-of-service/],
  'stage': [/NodeStage|\bstaged?\b/, /NodeStage|节点准备/],
  'publish': [/NodePublish|\bpublish(?:ed)?\b/, /NodePublish|发布/],
  'back-off': [/back-off/, /退避/],
  'mount-namespace': [/mount namespace/, /挂载命名空间/],
  'mountinfo': [/mountinfo/, /mountinfo/],
  'fs-group': [/fsGroup/, /fsGroup/],
  'read-only': [/read-only/, /只读/],
  // A user's number is a UID too; it is written with the number behind it.
  'identity': [/\bUIDs?\b(?! \d)/, /UID(?! \d)/],
  'not-run': [/NOT RUN/, /未执行/],
  'finalizer': [/finalizer/, /finalizer/],
  'reclaim-policy': [/reclaim policy|reclaimPolicy/, /回收策略|reclaimPolicy/],
  'block': [/\bBlock\b/, /\bBlock\b/],
  'event': [/\bevents?\b/, /事件/],
  'volume-handle': [/volume handle|volumeHandle/, /volume handle|volumeHandle/],
  'preemption': [/[Pp]reempt/, /抢占|preemption/],
  'taint': [/\btaints?\b/, /污点/],
  'resize': [/\bresize\b|\bexpan[ds]/, /扩容/],
  'csinode': [/CSINode/, /CSINode/],
  'restart-count': [/restart count/, /重启次数/],
  'released': [/Released/, /Released/],
  'volume-claim-template': [/claim template/, /PVC 模板/],
  'ephemeral': [/ephemeral volume/, /临时卷/],
};

/** In this lesson UID is the number of a user throughout. */
const USERS_NUMBER = 'who-may-write';

/**
 * A lesson's prose, what is no running text made blank: quotations, code blocks, headings, questions and their answers (a
 * link would be an answer's button within a button), the words under a diagram, the sources.
 */
function proseOf(source: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  const body = source
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replace(/^import .*$/gm, blank)
    .replace(/^```[\s\S]*?^```$/gm, blank);
  return ['Predict', 'Check', 'Diagram', 'Recorded', 'Sources']
    .reduce((text, name) => text.replace(new RegExp(`<${name}\\b(?:[^>]*[^/])?>[\\s\\S]*?</${name}>`, 'g'), blank), body)
    .replace(/^#+ .*$/gm, blank)
    .replace(/\]\([^)]*\)/g, blank);
}

/** Is the first use of a word in this prose linked: by a `Word` around it or before it, or by its `Term` before it or right after its paragraph? */
function firstUseIsLinked(prose: string, term: string, looks: RegExp): boolean {
  const text = prose.replace(/<[^>]*>/g, (tag) => ' '.repeat(tag.length));
  const use = looks.exec(text)?.index;
  if (use === undefined) return true;
  const link = prose.indexOf(`<Word is="${term}"`);
  const brought = prose.indexOf(`<Term is="${term}"`);
  if (link !== -1 && link < use) return true;
  if (brought === -1) return false;
  return brought < use || prose.slice(text.indexOf('\n\n', use), brought).replace(/<Term is="[^"]*" \/>/g, '').trim() === '';
}

const lessons = readPairs()
  .map((pair) => ({ ...pair, order: readPage(pair.slug, pair.en).front['lesson'] }))
  .filter((pair): pair is typeof pair & { order: number } => typeof pair.order === 'number')
  .sort((a, b) => a.order - b.order);
const terms = readTerms(readGlossary());
const broughtIn = new Map(terms.map((term) => [term.id, lessons.find((lesson) => lesson.slug === term.lesson)?.order ?? 0]));

describe('the words of the glossary', () => {
  it('are known here by their looks, each of them', () => {
    expect(Object.keys(LOOKS).sort()).toEqual(terms.map((term) => term.id).sort());
  });

  it.each(lessons)('$slug: what a later part of the course brings in is linked where it is first used', ({ slug, order, en, zh }) => {
    const unlinked = terms
      .filter((term) => (broughtIn.get(term.id) ?? 0) >= order && !(term.id === 'identity' && slug === USERS_NUMBER))
      .flatMap((term) => [en, zh].flatMap((source, lang) => (firstUseIsLinked(proseOf(source), term.id, LOOKS[term.id]?.[lang] ?? /$^/) ? [] : [`${['en', 'zh'][lang] ?? ''} ${term.id}`])));
    expect(unlinked).toEqual([]);
  });

  it('are links that lead to an entry', () => {
    const links = lessons.flatMap(({ slug, en, zh }) => [en, zh].flatMap((source) => readPage(slug, source).parts.filter((part) => part.name === 'Word').map((part) => part.attrs['is'])));
    expect(links.filter((is) => !terms.some((term) => term.id === is))).toEqual([]);
  });

  it('would be missed where the link comes too late or not at all', () => {
    expect(firstUseIsLinked('A taint. <Word is="taint">taint</Word>', 'taint', /taint/)).toBe(false);
    expect(firstUseIsLinked('A taint.', 'taint', /taint/)).toBe(false);
    expect(firstUseIsLinked('A <Word is="taint">taint</Word>.', 'taint', /taint/)).toBe(true);
    expect(firstUseIsLinked('A taint.\n\n<Term is="x" />\n\n<Term is="taint" />', 'taint', /taint/)).toBe(true);
    expect(firstUseIsLinked('A taint.\n\nMore.\n\n<Term is="taint" />', 'taint', /taint/)).toBe(false);
  });
});

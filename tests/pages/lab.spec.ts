/** What a reader can do in the lab. */
import { readFileSync } from 'node:fs';
import { expect, openLab, ready, stepShown, test } from './site.ts';

const LAB = '/en/labs/missing-secret/';
const SECRET_MISSING = 'the Secret missing does not exist';

test('the lab is drawn at its key step before any action, with the refusal in the component’s own words', async ({ page }) => {
  await openLab(page, LAB);
  await expect(page.locator('.say')).toContainText(SECRET_MISSING);
  await expect(page.locator('.line')).toContainText('secret "missing" not found');
  await expect(page.locator('.events')).toContainText('MountVolume.SetUp failed for volume "missing" : secret "missing" not found');
});

test('Step and Back move by one step; the first and the last step are the ends', async ({ page }) => {
  await openLab(page, LAB);
  const { step, of } = await stepShown(page);
  await page.getByRole('button', { name: 'Step', exact: true }).first().click();
  expect((await stepShown(page)).step).toBe(step + 1);
  await page.getByRole('button', { name: 'Back', exact: true }).first().click();
  await page.getByRole('button', { name: 'Back', exact: true }).first().click();
  expect((await stepShown(page)).step).toBe(step - 1);
  await page.getByLabel('Moment of the run').fill('0');
  await expect(page.getByRole('button', { name: 'Back', exact: true }).first()).toBeDisabled();
  await page.getByLabel('Moment of the run').fill(String(of - 1));
  await expect(page.getByRole('button', { name: 'Step', exact: true }).first()).toBeDisabled();
});

test('Next event and Next station jump forward', async ({ page }) => {
  await openLab(page, LAB);
  await page.getByLabel('Moment of the run').fill('0');
  await page.getByRole('button', { name: 'Next station' }).click();
  await expect(page.locator('.line li').first()).toContainText('proven');
  await page.getByRole('button', { name: 'Next event' }).click();
  await expect(page.locator('.events tr.now')).toHaveCount(1);
});

test('Play goes on by itself and stops when asked', async ({ page }) => {
  await openLab(page, LAB);
  const { step } = await stepShown(page);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(async () => (await stepShown(page)).step).toBeGreaterThan(step + 1);
  await page.getByRole('button', { name: 'Pause' }).click();
  const stopped = (await stepShown(page)).step;
  await page.waitForTimeout(700);
  expect((await stepShown(page)).step).toBe(stopped);
});

test('the keys step, jump to the ends, play, list themselves and undo', async ({ page }) => {
  await openLab(page, LAB);
  await page.locator('.lab').focus();
  const { step, of } = await stepShown(page);
  await page.keyboard.press('ArrowRight');
  expect((await stepShown(page)).step).toBe(step + 1);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect((await stepShown(page)).step).toBe(step - 1);
  await page.keyboard.press('Home');
  expect((await stepShown(page)).step).toBe(1);
  await page.keyboard.press('e');
  await expect(page.locator('.events tr.now')).toHaveCount(1);
  await page.keyboard.press('End');
  expect((await stepShown(page)).step).toBe(of);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys of the lab' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keys of the lab' })).toHaveCount(0);
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Leave out the Secret' }).click();
  await ready(page);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
});

test('a fault runs without a second click, although the simulated cluster is loaded only then', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await openLab(page, '/en/labs/immediate-happy/');
  expect(scripts.filter((url) => url.includes('engine-chunk'))).toEqual([]);
  await page.getByRole('button', { name: 'Put the pod in zone-b' }).click();
  await ready(page);
  expect(scripts.filter((url) => url.includes('engine-chunk'))).toHaveLength(1);
  await expect(page.locator('.say')).toContainText('Held at node');
  await expect(page.locator('.plan')).toContainText('VolumeBinding');
  await expect(page.getByRole('button', { name: 'Put the pod in zone-b' })).toHaveAttribute('aria-pressed', 'true');
});

test('the repair acts at the step shown; what follows is marked as modelled, what came before keeps its recordings', async ({ page }) => {
  await openLab(page, LAB);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await ready(page);
  await expect(page.getByRole('button', { name: 'Create the Secret' })).toHaveCount(0);
  await page.getByLabel('Moment of the run').fill(String((await stepShown(page)).of - 1));
  const row = (text: string) => page.locator('.events tr', { hasText: text });
  await expect(row('Container started')).toContainText('modelled, not recorded');
  await expect(row('Successfully assigned')).toContainText('recorded, 3 of 3 runs');
});

test('Undo gives back the run before, at the moment of the change', async ({ page }) => {
  await openLab(page, LAB);
  const before = await stepShown(page);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await ready(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await ready(page);
  expect(await stepShown(page)).toEqual(before);
  await expect(page.locator('.say')).toContainText(SECRET_MISSING);
});

test('fault and repair stand side by side', async ({ page }) => {
  await openLab(page, LAB);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await ready(page);
  await page.getByLabel('Moment of the run').fill(String((await stepShown(page)).of - 1));
  await page.getByRole('button', { name: /^Side by side/ }).click();
  await expect(page.locator('.side')).toHaveCount(2);
  await expect(page.locator('.side').first()).not.toContainText('Container started');
  await expect(page.locator('.side').last()).toContainText('Container started');
});

test('the address carries scenario, actions, step and what lies open; opened anywhere it shows exactly that', async ({ page, context }) => {
  await openLab(page, LAB);
  await page.getByRole('button', { name: 'Create the Secret' }).click();
  await ready(page);
  await page.locator('.line button').nth(1).click();
  await page.getByRole('button', { name: /^Who spoke to whom/ }).click();
  await expect.poll(() => page.url()).toContain('panel=sequence');
  const other = await context.newPage();
  await openLab(other, page.url());
  expect(await stepShown(other)).toEqual(await stepShown(page));
  expect(await other.locator('.say').textContent()).toBe(await page.locator('.say').textContent());
  await expect(other.locator('.wide-panel')).toContainText('spec.volumeName');
  await expect(other.locator('.seq')).toBeVisible();
  await other.close();
});

for (const [what, spoil] of [
  ['cut off', (hash: string) => hash.slice(0, -14)],
  ['changed', (hash: string) => hash.replace(/step=\d+/, 'step=3')],
  ['of another version', (hash: string) => hash.replace('lab=1', 'lab=9')],
] as const) {
  test(`an address that was ${what} says so, and the lab can be opened at its start`, async ({ page }) => {
    await openLab(page, LAB);
    const { step } = await stepShown(page);
    await page.getByRole('button', { name: 'Step', exact: true }).first().click();
    await expect.poll(() => page.url()).toContain('#lab=');
    const [address = '', hash = ''] = page.url().split('#');
    await page.goto('about:blank');
    await openLab(page, `${address}#${spoil(hash)}`);
    await expect(page.getByRole('alert')).toContainText('This address is damaged.');
    await page.getByRole('button', { name: 'Open the lab at its start' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect((await stepShown(page)).step).toBe(step);
  });
}

test('a station opens what lit it and what it does not prove, and leads to the step that wrote it', async ({ page }) => {
  await openLab(page, LAB);
  await page.locator('.line button').nth(1).click();
  const panel = page.locator('.wide-panel');
  await expect(panel).toContainText('spec.volumeName');
  await expect(panel).toContainText('spec.claimRef.uid');
  await expect(panel).toContainText('Does not prove that any node can reach it.');
  await panel.getByRole('button', { name: /s$/ }).first().click();
  await expect(page.locator('.yaml').first()).toContainText('volumeName');
});

test('each event leads to its line in a recording', async ({ page }) => {
  await openLab(page, LAB);
  await page.locator('.events tr.now a.src').click();
  await expect(page.locator('li:target')).toContainText('secret "missing" not found');
});

test('a recording opens in the lab as it happened', async ({ page }) => {
  await page.goto('/recordings/missing-secret/2/');
  await page.getByRole('link', { name: 'Open in the lab' }).click();
  await ready(page);
  await expect(page.locator('.lab-head')).toContainText('recorded run 2 of 3');
  await page.getByRole('button', { name: 'Back to the simulated run' }).click();
  await expect(page.locator('.lab-head')).toContainText('simulated run');
});

test('a run is saved as trace, scenario and manifests; what was saved opens again', async ({ page }) => {
  await openLab(page, LAB);
  const save = async (name: string): Promise<string> => {
    await page.getByText('Save', { exact: true }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return readFileSync(await file.path(), 'utf8');
  };
  const trace = await save('Run as trace (JSON)');
  expect((JSON.parse(trace) as { format: string }).format).toBe('after-bound/trace@1');
  const scenario = await save('Scenario (YAML)');
  expect(scenario).toContain('id: missing-secret');
  expect(await save('Manifests (YAML)')).toContain('kind: PersistentVolumeClaim');
  for (const [name, mimeType, text] of [['run.json', 'application/json', trace], ['mine.yaml', 'text/yaml', scenario]] as const) {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
    await expect(page.locator('.lab-head')).toContainText('opened from a file');
    await expect(page.locator('.say')).toContainText(SECRET_MISSING);
  }
});

for (const [what, name, text] of [
  ['that is no YAML', 'broken.yaml', 'id: [unclosed'],
  ['with an unknown step', 'step.yaml', 'id: x\ntitle: X\ncovers: []\nnamespace: x\nsteps:\n- dance: now\n'],
  ['of another format', 'other.json', '{"format":"something/else"}'],
  ['that was cut off', 'cut.json', '{"format":"after-bound/trace@1","scenario":{"id"'],
] as const) {
  test(`a file ${what} gets a message that names it, and the lab stays alive`, async ({ page }) => {
    await openLab(page, LAB);
    const { step } = await stepShown(page);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await expect(page.getByRole('alert')).toContainText(name);
    await page.getByRole('button', { name: 'Step', exact: true }).first().click();
    expect((await stepShown(page)).step).toBe(step + 1);
  });
}

test('for an unschedulable pod each node shows the filter and the field that refused it', async ({ page }) => {
  await openLab(page, '/en/labs/zone-mismatch-immediate/');
  const plan = page.locator('.plan');
  await expect(plan.locator('.why')).toHaveCount(4);
  await expect(plan).toContainText("didn't match PersistentVolume's node affinity");
  await expect(plan).toContainText('Pod spec.nodeSelector: topology.kubernetes.io/zone=zone-b');
  await expect(plan).toContainText('Node spec.taints: node-role.kubernetes.io/control-plane:NoSchedule');
});

test('the text time line says all that the pictures show and leads to each step', async ({ page }) => {
  await openLab(page, LAB);
  await page.getByRole('button', { name: /^The run as text/ }).click();
  const { of } = await stepShown(page);
  await expect(page.locator('.text-line > li')).toHaveCount(of);
  await expect(page.locator('.text-line')).toContainText('published: blocked (MountVolume.SetUp failed for volume "missing" : secret "missing" not found)');
  await page.locator('.text-line button').first().click();
  expect((await stepShown(page)).step).toBe(1);
});

test('the state machine shows who stands where, with a recorded line as witness', async ({ page }) => {
  await openLab(page, LAB);
  const machine = page.locator('.machine');
  await expect(machine.locator('svg rect.on')).toHaveCount(1);
  await expect(machine.locator('.tokens')).toContainText('missing');
  await expect(machine).toContainText('recorded,');
  await expect(machine.locator('.log')).toBeVisible();
});

test('where the browser forbids copying, the button says so and the lab goes on', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) } });
  });
  await openLab(page, LAB);
  await page.getByRole('button', { name: 'Copy link to this step' }).click();
  await expect(page.getByRole('button', { name: 'Not copied: the browser forbids it' })).toBeVisible();
  const { step } = await stepShown(page);
  await page.getByRole('button', { name: 'Step', exact: true }).first().click();
  expect((await stepShown(page)).step).toBe(step + 1);
});

test('nothing of an opened file is taken for HTML: not its name, not what stands in it', async ({ page }) => {
  const evil = '<img src="x:" onerror="document.title = 1">';
  const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', annotations: { note: evil } }, data: { page: evil } });
  const scenario = JSON.stringify([{ apply: manifest }, { run: "kubectl get cm settings -o yaml" }]);
  const text = `id: evil\ntitle: ${JSON.stringify(evil)}\ncovers: []\nnamespace: evil\nsteps: ${scenario}\n`;
  await openLab(page, LAB);
  for (const [name, content] of [['wrong.yaml', evil], ['evil.yaml', text]] as const) {
    await page.locator('input[type=file]').first().setInputFiles({ name: `${evil}-${name}`, mimeType: 'text/plain', buffer: Buffer.from(content) });
    await ready(page);
    if (name === 'wrong.yaml') await expect(page.locator('.trouble')).toContainText('is not a valid scenario');
    else await expect(page.locator('.lab')).toContainText('evil');
    await expect(page.locator('img[onerror]')).toHaveCount(0);
  }
});

for (const [lab, repair, then] of [
  ['claim-not-found', 'Create the claim nowhere (zonal-wait)', 'Container started'],
  ['wait-pod-untolerated-taint', 'Remove dedicated=batch:NoSchedule from ab-worker3', 'Container started'],
  ['claim-lost', 'Re-create the PersistentVolume over the same disk', 'Container started'],
] as const) {
  test(`${lab}: the repair a person would make is offered, and the run then goes on`, async ({ page }) => {
    await openLab(page, `/en/labs/${lab}/`);
    await page.getByRole('button', { name: repair, exact: true }).click();
    await ready(page);
    await page.getByLabel('Moment of the run').fill(String((await stepShown(page)).of - 1));
    await expect(page.locator('.events')).toContainText(then);
    await expect(page.getByRole('button', { name: repair, exact: true })).toHaveCount(0);
  });
}

test('where the rules that find what can be done cannot be loaded, the lab says so, and the next step tries again', async ({ page, complaints }) => {
  await page.route(/\/(?:first-)?offers\.[\w-]+\.js$/, (route) => route.abort());
  await openLab(page, LAB);
  await page.locator('.lab').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.acts-note')).toContainText('could not be loaded');
  await page.unroute(/\/(?:first-)?offers\.[\w-]+\.js$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.acts button').first()).toBeEnabled();
  expect(complaints.splice(0).every((complaint) => complaint.includes('Failed to load resource'))).toBe(true);
});

test('where the simulated cluster cannot be loaded, the run shown stays, and trying again makes the run that was asked for, once', async ({ page, complaints }) => {
  await openLab(page, LAB);
  const shown = await stepShown(page);
  await page.route(/\/engine-chunk\.[\w-]+\.js/, (route) => route.abort());
  await page.getByRole('button', { name: 'Fewer', exact: true }).or(page.getByRole('button', { name: 'More', exact: true })).click();
  await page.getByRole('button', { name: 'Start a second pod' }).click();
  await expect(page.locator('.acts-note')).toContainText('The simulated cluster could not be loaded.');
  expect(await stepShown(page)).toEqual(shown);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.acts-note')).toContainText('The simulated cluster could not be loaded.');
  await page.getByRole('button', { name: 'Step', exact: true }).first().click();
  expect((await stepShown(page)).step).toBe(shown.step + 1);
  await page.getByRole('button', { name: 'Back', exact: true }).first().click();
  await page.getByRole('button', { name: 'Start a second pod' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.unroute(/\/engine-chunk\.[\w-]+\.js/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await ready(page);
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(page.locator('.pods button')).toHaveText(['first', 'second']);
  expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('actions')?.match(/"do":"second"/g)).toHaveLength(1);
  expect(complaints.splice(0).every((complaint) => complaint.includes('Failed to load resource'))).toBe(true);
});

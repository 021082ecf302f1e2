// SPDX-License-Identifier: MIT
// octant view in Chromium: what is drawn, asked of the page itself and of its pixels.
//   node view_browser.mjs OCTANT SOURCE FOLDER [PICTURES]
// FOLDER has a million.octant, a replay.jsonl, a swarm.jsonl and a flat.map; with PICTURES screenshots go there.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [octant, source, folder, pictures] = process.argv.slice(2);
const { chromium } = createRequire(`${source}/viewer/`)('playwright-core');

function check(what, good) {
    if (!good) {
        throw new Error(`FAILED: ${what}`);
    }
    console.log(`ok: ${what}`);
}

function serve(...words) {
    const child = spawn(octant, [...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    return new Promise((resolve, reject) => {
        let said = '';
        const hear = (data) => {
            said += data;
            const found = /http:\/\/[0-9.:]+\/[0-9a-f]+\//.exec(said);
            if (found) {
                resolve({ url: found[0], child, said: () => said });
            }
        };
        child.stdout.on('data', hear);
        child.stderr.on('data', hear);
        child.on('exit', () => reject(new Error(`octant ${words.join(' ')} has ended`)));
    });
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader'],
});
const complaints = [];

async function open(url) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
    page.on('pageerror', (e) => complaints.push(e.message));
    await page.goto(url);
    return page;
}

const state = (page) => page.evaluate(() => window.octant.state());
const until = (page, what, argument) => page.waitForFunction(what, argument, { timeout: 60000, polling: 100 });

// How often each colour is in the picture, most often first; thinned.
const colours = (page) => page.evaluate(async () => {
    const image = new Image();
    image.src = window.octant.stage.picture();
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const data = context.getImageData(0, 0, image.width, image.height).data;
    const counts = {};
    for (let i = 0; i < data.length; i += 4 * 7) {
        const key = [data[i], data[i + 1], data[i + 2]].map((c) => c >> 3).join();
        counts[key] = (counts[key] ?? 0) + 1;
    }
    return Object.entries(counts).sort((a, b) => b[1] - a[1]);
});

async function picture(page, name) {
    if (pictures) {
        await page.waitForTimeout(1500);
        await page.screenshot({ path: `${pictures}/${name}.png` });
    }
}

async function aMap() {
    const { url, child } = await serve('view', '--no-open', `${folder}/million.octant`);
    const page = await open(url);
    await until(page, () => window.octant?.state().map?.firstPicture > 0);
    const first = await state(page);
    console.log(`first picture after ${first.map.firstPicture.toFixed(0)} ms`);
    check('a million leaves', await page.evaluate(() => window.octant.map.facts.leaves) >= 1e6);
    check('a closed map is cut at once', first.map.slice !== null);
    await until(page, () => window.octant.state().map.sliceDrawn && window.octant.state().map.asked === 0);
    const cut = await colours(page);
    check('leaves are drawn', (await state(page)).map.quads > 100 && cut.length > 3);

    await page.keyboard.press('z');
    await until(page, () => window.octant.state().map.slice === null);
    check('without the slice it looks different', JSON.stringify(await colours(page)) !== JSON.stringify(cut));
    await page.keyboard.press('z');
    await page.keyboard.press(']');
    await until(page, () => window.octant.state().map.slice?.cell === 128 && window.octant.state().map.sliceDrawn);
    check('the slice moves', true);

    // Two places on the cut that are free: the library says which.
    const places = await page.evaluate(async () => {
        const { map, stage } = window.octant;
        const found = [];
        for (const [x, y] of [[20, 20], [24, 28], [32, 21], [230, 226], [224, 231], [236, 221]]) {
            const v = stage.camera.position.clone().set(x + 0.5, y + 0.5, 128.5);
            const { x: px, y: py } = stage.pixelOf(v);
            const picked = await map.pick(stage.rayAt({ clientX: px, clientY: py }).ray);
            if (picked?.label === 'open') {
                found.push([px, py]);
            }
        }
        return [found[0], found.at(-1)];
    });
    await page.mouse.click(...places[0]);
    await until(page, () => window.octant.state().map.query.from !== null);
    await page.mouse.click(...places[1]);
    await until(page, () => window.octant.state().map.query.paths.length === 1);
    await page.locator('input[name="astar"]').check();
    await until(page, () => window.octant.state().map.query.paths.length === 2 && !window.octant.state().map.query.running);
    const { query } = (await state(page)).map;
    check('two algorithms found paths', query.paths.every((p) => p.status === 'found' && p.points >= 2) && query.lines === 2);
    check('the portal search is not longer', query.paths[0].length <= query.paths[1].length + 1e-6);
    check('the table shows them', await page.locator('#table tbody tr').count() === 2);

    await page.locator('button[data-replay="portal"]').click();
    await until(page, () => window.octant.state().map.query.expansions?.drawn > 0);
    await until(page, () => { const e = window.octant.state().map.query.expansions; return e.drawn === e.count; });
    check('the search is replayed to its end', true);
    await picture(page, 'query');

    await page.waitForTimeout(500); // the address is written a little later
    const before = await state(page);
    const address = page.url();
    check('the address names the query', /[#&]from=/.test(address) && /[#&]to=/.test(address) && /slice=z:128/.test(address));
    const again = await open(address);
    await until(again, () => window.octant?.state().map?.query.paths.length === 2 && window.octant.state().map.sliceDrawn);
    const after = await state(again);
    check('another page shows the same paths',
        after.map.query.paths.every((p, i) => p.algorithm === before.map.query.paths[i].algorithm &&
            Math.abs(p.length - before.map.query.paths[i].length) < 1e-6));
    check('and the same slice', JSON.stringify(after.map.slice) === JSON.stringify(before.map.slice));
    await again.close();

    await page.evaluate(() => window.octant.map.clearSlice());
    for (let i = 0; i < 3; i++) {
        await page.evaluate((label) => window.octant.map.setShown(label, 'shown'), i);
    }
    await until(page, () => window.octant.state().map.asked === 0 && window.octant.state().map.quads > 0);
    const rate = await page.evaluate(() => new Promise((done) => {
        const { stage } = window.octant;
        const start = performance.now(), drawn = stage.frames.drawn;
        const turn = () => {
            const away = stage.camera.position.clone().sub(stage.controls.target);
            stage.camera.position.copy(stage.controls.target).add(away.applyAxisAngle(stage.camera.up, 0.02));
            stage.controls.update();
            stage.draw();
            const passed = performance.now() - start;
            if (passed < 2000) {
                requestAnimationFrame(turn);
            } else {
                done((1000 * (stage.frames.drawn - drawn)) / passed);
            }
        };
        turn();
    }));
    console.log(`${rate.toFixed(1)} frames per second while it turns, with nothing hidden`);
    await page.close();
    child.kill('SIGINT');
}

async function aReplay() {
    const { url, child } = await serve('view', '--no-open', `${folder}/replay.jsonl`);
    const page = await open(url);
    await until(page, () => window.octant?.state().replay);
    const first = await state(page);
    check('it begins at the start', first.replay.tick === 0 && first.replay.verdict === 'not yet');
    await page.locator('#play').click();
    await until(page, () => window.octant.state().replay.tick > 30);
    await page.locator('#play').click();
    const { tick, at } = (await state(page)).replay;
    check('it plays', tick > 30 && JSON.stringify(at) !== JSON.stringify(first.replay.at));
    await page.locator('#scrub').fill(String(Math.round(first.replay.ticks / 2)));
    const half = (await state(page)).replay;
    check('things were seen', half.things > 20 && half.faces > 60);
    check('it says what it thinks', half.thought.length > 3);
    check('it is drawn', (await colours(page)).length > 5);
    await picture(page, 'replay');
    await page.keyboard.press('ArrowRight');
    await page.locator('#canvas').focus();
    await page.keyboard.press('ArrowRight');
    check('a key goes on by a turn', (await state(page)).replay.tick > half.tick);
    await page.waitForTimeout(400);
    const address = page.url();
    const again = await open(address);
    await until(again, () => window.octant?.state().replay?.tick > 0);
    check('the address is that moment', Math.abs((await state(again)).replay.tick - (await state(page)).replay.tick) <= 1);
    await again.close();
    await page.locator('#scrub').fill(String(first.replay.ticks));
    check('at the end it has passed', (await state(page)).replay.verdict === 'pass');
    check('what it learned is drawn and listed',
        (await state(page)).replay.links > 0 && await page.locator('.link').count() === (await state(page)).replay.links);
    await page.close();
    child.kill('SIGINT');
}

async function aSwarm() {
    const { url, child } = await serve('view', '--no-open', `${folder}/swarm.jsonl`);
    const page = await open(`${url}#at=1`);
    await until(page, () => window.octant?.state().swarm && window.octant.state().map.sliceDrawn);
    const first = (await state(page)).swarm;
    check('all units are there', first.units === 300 && first.at === 1 && first.moments > 10);
    await page.keyboard.press(' ');
    await until(page, () => window.octant.state().swarm.at > 1.2);
    await page.keyboard.press(' ');
    const later = (await state(page)).swarm;
    check('they move', !later.playing && JSON.stringify(later.first) !== JSON.stringify(first.first));
    await page.locator('#divide').check();
    await until(page, () => window.octant.state().swarm.leaves > 0);
    const divided = (await state(page)).swarm;
    check('the tree divides around them', divided.smallest > 300);
    check('units and leaves are drawn', (await colours(page)).length > 8);
    await picture(page, 'swarm');
    await page.close();
    child.kill('SIGINT');
}

async function aLiveTest() {
    const { url, child, said } = await serve('test', `${source}/worlds/tests/three_doors.lua`, '--view', '--threads', '1');
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 300));
    check('it waits for the page', !said().includes('pass'));
    const page = await open(url);
    await until(page, () => window.octant?.state().replay?.turns > 3);
    check('it is watched', (await state(page)).replay.things > 5);
    await until(page, () => window.octant.state().replay.verdict === 'pass');
    const last = (await state(page)).replay;
    check('to its verdict', !last.live && last.tick === last.ticks && last.turns > 100);
    check('the page names both tests', await page.locator('#item option').count() === 2);
    await page.goto(`${url}#item=1`);
    await page.reload();
    await until(page, () => window.octant?.state().replay?.turns > 100);
    await page.close();
    check('it ends when the page is closed', await ended === 0 && said().includes('2 passed'));
}

async function aWorld() {
    const { url, child } = await serve('view', '--no-open', `${source}/worlds/three_doors.json`);
    const page = await open(`${url}#slice=y:8`);
    await until(page, () => window.octant?.state().map?.firstPicture > 0 && window.octant.state().map.sliceDrawn);
    const cells = await colours(page);
    await page.getByRole('button', { name: 'blocks' }).click();
    await until(page, () => window.octant.state().map.blocks > 100);
    check('blocks look different from cells', JSON.stringify(await colours(page)) !== JSON.stringify(cells));
    check('doors and panels have their names', await page.locator('#labels span').count() > 3);
    await picture(page, 'world');
    // From the agent's room to the dummy's: a way only while the doors are open.
    await page.evaluate(() => {
        const { map } = window.octant;
        map.query.take(map.fromMetres([11.27, 3.77, 21.27]));
        map.query.take(map.fromMetres([37.2, 3.8, 23.8]));
    });
    const status = () => window.octant.state().map.query.paths[0]?.status;
    await until(page, status);
    check('there is no way while doors are shut', await page.evaluate(status) === 'none');
    for (const door of ['Door1', 'Door2', 'Door3']) {
        await page.locator(`input[data-door="${door}"]`).check();
        await until(page, (name) => window.octant.state().map.doors.includes(name) && !window.octant.state().map.query.running, door);
    }
    await until(page, () => window.octant.state().map.query.paths[0]?.status === 'found');
    check('there is one when they are open', (await state(page)).map.query.lines === 1);
    await page.waitForTimeout(400);
    check('the address names the doors', /[#&]doors=\d+,\d+,\d+/.test(page.url()));
    await picture(page, 'doors');
    await page.close();
    child.kill('SIGINT');
}

// How many pixels of the laboratory's canvas have a colour, '#rrggbb'.
const pixels = (page, colour) => page.evaluate((hex) => {
    const canvas = document.getElementById('lab');
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
        count += data[i] === r && data[i + 1] === g && data[i + 2] === b;
    }
    return count;
}, colour);

async function aLaboratory() {
    const { url, child } = await serve('view', '--no-open', '--lab');
    const page = await open(`${url}#theme=light`);
    await until(page, () => window.octant?.state().lab);
    const lab = async () => (await state(page)).lab;
    const box = await page.locator('#lab').boundingBox();
    const { scale, offset } = await lab();
    const at = (x, y) => [box.x + offset[0] + x * scale, box.y + offset[1] + y * scale];
    const settled = (blocked) => until(page, (n) => window.octant.state().lab.blocked === n && window.octant.state().lab.undo >= 0, blocked);
    // A wall from the top almost to the bottom, two cells wide.
    await page.mouse.move(...at(16, 1));
    await page.mouse.down();
    await page.mouse.move(...at(16, 27), { steps: 4 });
    await page.mouse.up();
    await until(page, () => window.octant.state().lab.undo === 1);
    const wall = (await lab()).blocked;
    check('a wall is drawn', wall >= 52 && wall <= 60 && await pixels(page, '#5f6f83') > 0.6 * wall * scale * scale);
    await page.mouse.click(...at(4.5, 4.5));
    await until(page, () => window.octant.state().lab.undo === 2);
    await page.keyboard.press('u');
    await settled(wall);
    check('undone', (await lab()).undo === 1);
    await page.keyboard.press('s');
    await page.mouse.click(...at(0.1, 0.1));
    await page.keyboard.press('g');
    await page.mouse.click(...at(32, 31.9));
    check('ends lie on borders', JSON.stringify([(await lab()).start, (await lab()).goal]) === '[[0,0],[32,32]]');
    await page.keyboard.press('Enter');
    await until(page, () => window.octant.state().lab.paths.length === 3 && !window.octant.state().lab.running);
    const [theta, astar, anya] = (await lab()).paths;
    check('three algorithms found paths', [theta, astar, anya].every((p) => p.status === 'found') &&
        anya.length <= theta.length + 1e-9 && theta.length <= astar.length + 1e-9 && anya.length > 45.25);
    check('and are drawn', await pixels(page, '#0072b2') + await pixels(page, '#d55e00') + await pixels(page, '#009e73') > 400);
    await page.locator('#results tbody input').nth(1).uncheck();
    check('one is hidden', await pixels(page, '#d55e00') === 0);
    await picture(page, 'laboratory');
    const download = page.waitForEvent('download');
    await page.locator('#save-paths').click();
    const file = await (await download).path();
    const saved = JSON.parse(readFileSync(file, 'utf8'));
    check('a laboratory file is saved', saved.format === 'octant-lab' && saved.paths.length === 3 && saved.goal[0] === 32);
    await page.locator('#new').click();
    await until(page, () => window.octant.state().lab.blocked === 0 && window.octant.state().lab.paths.length === 0);
    await page.locator('#file').setInputFiles({ name: 'saved.json', mimeType: 'application/json', buffer: readFileSync(file) });
    await settled(wall);
    check('it is loaded, and its paths shown without running', (await lab()).paths.length === 3 &&
        Math.abs((await lab()).paths[2].length - anya.length) < 1e-9 && await pixels(page, '#009e73') > 100);
    await page.locator('#file').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"format": 3}') });
    await until(page, () => /must be|format/.test(window.octant.state().lab.message));
    check('a bad file is refused, and the map stays', (await lab()).blocked === wall);

    for (const [key, value] of [['sizes', '16'], ['coverages', '10,30'], ['maps', '2'], ['tasks', '2']]) {
        await page.locator(`#batch-${key}`).fill(value);
    }
    await page.evaluate(() => {
        document.getElementById('batch-run').click();
        document.getElementById('batch-stop').click();
    });
    await until(page, () => !window.octant.state().lab.batch.running && window.octant.state().lab.batch.done > 0);
    check('a batch is stopped', (await lab()).batch.done === 1 && (await lab()).batch.rows === 6);
    await page.locator('#batch-resume').click();
    await until(page, () => window.octant.state().lab.batch.done === 4 && !window.octant.state().lab.batch.running);
    spawnSync(octant, ['lab', '--csv', `${folder}/batch.csv`, '--size', '16', '--coverage', '10,30', '--clustering', '4',
        '--maps', '2', '--tasks', '2', '--algorithms', 'theta:lattice,astar:lattice:euclidean,anya:intervals']);
    const untimed = (text) => text.split('\n').map((l) => l.split(',').filter((_, i) => i !== 20 && i !== 21).join()).join('\n');
    const ours = untimed((await lab()).batch.csv), theirs = untimed(readFileSync(`${folder}/batch.csv`, 'utf8'));
    check('and resumed, with the rows of octant lab', ours === theirs && ours.split('\n').length === 26);
    await page.close();
    child.kill('SIGINT');
}

async function aQuadtree() {
    const { url, child } = await serve('view', '--no-open', '--quadtree');
    const page = await open(url);
    await until(page, () => window.octant?.state().quadtree?.replans > 0);
    const demo = async () => (await state(page)).quadtree;
    const idle = () => until(page, () => !window.octant.state().quadtree.asking);
    const first = await demo();
    check('the tree has all labels', first.labels.every((n) => n > 0) && first.root[2] >= 16);
    check('the way goes through the unknown to the goal', first.path.status === 'found' &&
        JSON.stringify(first.path.points.at(-1)) === JSON.stringify(first.goal));
    check('it is drawn', await pixels(page, '#00d040') > 50 && await pixels(page, '#ffe600') > 100);
    for (let i = 0; i < 4; i++) {
        await page.keyboard.press('ArrowRight');
        await idle();
    }
    const moved = await demo();
    check('the player moves', Math.abs(moved.player[0] - first.player[0] - 2) < 1e-9 && moved.replans >= first.replans + 4);
    const clicked = await page.evaluate(() => window.octant.quadtree.pixelOf([5.5, -6]));
    await page.mouse.click(...clicked);
    await until(page, (n) => window.octant.state().quadtree.walls === n + 1, first.walls);
    await idle();
    const walled = await demo();
    check('a wall is placed, and seen', walled.labels[2] > 0 && JSON.stringify(walled.labels) !== JSON.stringify(moved.labels));
    await page.mouse.click(...clicked, { button: 'right' });
    await until(page, (n) => window.octant.state().quadtree.walls === n, first.walls);
    await idle();
    check('and removed', JSON.stringify((await demo()).labels) === JSON.stringify(moved.labels));
    const goal = await page.evaluate(() => window.octant.quadtree.pixelOf(window.octant.state().quadtree.goal));
    const to = await page.evaluate(() => window.octant.quadtree.pixelOf([28, -12]));
    await page.mouse.move(...goal);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 2 });
    await page.mouse.up();
    await until(page, () => Math.abs(window.octant.state().quadtree.goal[1] + 12) < 0.2 && !window.octant.state().quadtree.asking);
    await picture(page, 'quadtree');
    const before = await demo();
    await page.keyboard.press(' ');
    await until(page, () => window.octant.state().quadtree.replans > 8 && !window.octant.state().quadtree.walks);
    const last = await demo();
    check('it walks to the goal, and plans anew on the way', Math.hypot(last.player[0] - last.goal[0], last.player[1] - last.goal[1]) < 1 &&
        last.replans > before.replans + 10);
    check('the root has grown', last.root[2] > first.root[2] && last.roots.length > 1);
    await page.close();
    child.kill('SIGINT');
}

async function aFlatMap() {
    const { url, child } = await serve('view', '--no-open', `${folder}/flat.map`);
    const page = await open(`${url}#from=0.5,0.5,0&to=3.5,3.5,0&algorithms=anya,portal,jps&theme=dark`);
    await until(page, () => window.octant?.state().map?.query.paths.length === 3);
    const { query } = (await state(page)).map;
    check('a flat map has paths of three algorithms', query.paths.every((p) => p.status === 'found'));
    check('dark is dark', await page.evaluate(() => document.documentElement.dataset.theme) === 'dark');
    await page.close();
    child.kill('SIGINT');
}

try {
    await aMap();
    await aReplay();
    await aSwarm();
    await aLiveTest();
    await aWorld();
    await aFlatMap();
    await aLaboratory();
    await aQuadtree();
    check(`no complaint of the pages: ${complaints.join('; ')}`, complaints.length === 0);
} finally {
    await browser.close();
}
process.exit(0);
